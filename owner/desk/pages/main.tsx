import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { I18nProvider, RouterProvider } from 'react-aria-components'
import { BrowserRouter, Navigate, Route, Routes, useNavigate } from 'react-router'
import { deskPath } from '../paths.ts'
import { call, isFault, queries } from './api.ts'
import { Frame, Toasts } from './frame.tsx'
import { Announce } from './views/announce.tsx'
import { CheckUp } from './views/check-up.tsx'
import { Mail } from './views/mail.tsx'
import { People } from './views/people.tsx'
import { Person } from './views/person.tsx'
import { LinkPage, SignIn } from './views/sign-in.tsx'
import { Today } from './views/today.tsx'
import { You } from './views/you.tsx'

function App() {
  const navigate = useNavigate()
  return (
    <RouterProvider navigate={(to) => void navigate(to.replace(deskPath, ''))}>
      <Toasts>
        <Routes>
          <Route path="link" element={<LinkPage />} />
          <Route path="*" element={<Doors />} />
        </Routes>
      </Toasts>
    </RouterProvider>
  )
}

/** The views for whoever is signed in, else the page to sign in, at any address. */
function Doors() {
  const session = useQuery({ queryKey: ['session'], queryFn: () => call('GET session', {}) })
  if (session.isPending) return null
  if (isFault(session.error, 'signed-out') && !session.data) return <SignIn />
  return (
    <Frame>
      <Routes>
        <Route index element={<Today />} />
        <Route path="people" element={<People />} />
        <Route path="people/:id" element={<Person />} />
        <Route path="mail" element={<Mail />} />
        <Route path="announce" element={<Announce />} />
        <Route path="check-up" element={<CheckUp />} />
        <Route path="you" element={<You />} />
        <Route path="*" element={<Navigate to="/" replace />} />
      </Routes>
    </Frame>
  )
}

const root = document.getElementById('app')
if (root)
  createRoot(root).render(
    <QueryClientProvider client={queries}>
      <I18nProvider locale="en-US">
        <BrowserRouter basename={deskPath}>
          <App />
        </BrowserRouter>
      </I18nProvider>
    </QueryClientProvider>,
  )
