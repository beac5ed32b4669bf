import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { I18nProvider, RouterProvider } from 'react-aria-components'
import { BrowserRouter, Navigate, Outlet, Route, Routes, useNavigate } from 'react-router'
import { deskPath } from '../paths.ts'
import { Toasts } from './acts.tsx'
import { hasCode, queries, useSession } from './api.ts'
import { Frame } from './frame.tsx'
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
      <Routes>
        <Route path="link" element={<LinkPage />} />
        <Route element={<Door />}>
          <Route index element={<Today />} />
          <Route path="people" element={<People />} />
          <Route path="people/:id" element={<Person />} />
          <Route path="mail" element={<Mail />} />
          <Route path="announce" element={<Announce />} />
          <Route path="check-up" element={<CheckUp />} />
          <Route path="you" element={<You />} />
          <Route path="*" element={<Navigate to="/" replace />} />
        </Route>
      </Routes>
      <Toasts />
    </RouterProvider>
  )
}

/** The view for whoever is signed in, else the page to sign in, at any address. */
function Door() {
  const session = useSession()
  if (session.isPending) return null
  if (hasCode(session.error, 'signed-out') && !session.data) return <SignIn />
  return (
    <Frame>
      <Outlet />
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
