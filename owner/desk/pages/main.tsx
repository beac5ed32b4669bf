import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import './desk.css'
import { hasCode, queries, trpc } from './api.ts'
import { Frame } from './frame.tsx'
import { usePath } from './location.ts'
import { resolveVariables, theme } from './theme.ts'
import { Announce } from './views/announce/announce.tsx'
import { CheckUp } from './views/check-up.tsx'
import { Mail } from './views/mail.tsx'
import { Import } from './views/people/import.tsx'
import { People } from './views/people/people.tsx'
import { Person } from './views/people/person.tsx'
import { LinkPage, SignIn } from './views/sign-in.tsx'
import { Today } from './views/today/today.tsx'
import { WhatTheyGet } from './views/what-they-get.tsx'
import { You } from './views/you.tsx'

const views: Record<string, () => React.ReactNode> = {
  people: People,
  'people/import': Import,
  mail: Mail,
  announce: Announce,
  'check-up': CheckUp,
  'what-they-get': WhatTheyGet,
  you: You,
}

/** The view for whoever is signed in, else the page to sign in, at any address. */
function Desk() {
  const path = usePath()
  const session = useQuery({ ...trpc.you.session.queryOptions(), staleTime: Infinity })
  if (path === 'link') return <LinkPage />
  if (hasCode(session.error, 'UNAUTHORIZED') && !session.data) return <SignIn />
  if (session.isPending) return null
  const person = /^people\/(\d{1,15})$/.exec(path)?.[1]
  const CurrentView = views[path] ?? Today
  return (
    <Frame>
      {person === undefined ? (
        <CurrentView key={path} />
      ) : (
        <Person key={path} id={Number(person)} />
      )}
    </Frame>
  )
}

createRoot(document.getElementById('app')!).render(
  <QueryClientProvider client={queries}>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      defaultColorScheme="auto"
    >
      <Notifications position="bottom-right" />
      <Desk />
    </MantineProvider>
  </QueryClientProvider>,
)
