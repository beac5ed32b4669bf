import { startTransition, useEffect, type ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { App } from '../landing-page/landing-page.tsx'
import { readStaticParts } from '../static-part.tsx'

/** The start script imports it by this name. */
export function startPage(): void {
  const app = document.getElementById('app')
  if (!app) throw new Error('The page has no #app')
  const { functionsUrl = '', anonKey = '', supportEmail = '' } = app.dataset
  // A transition yields every few milliseconds, so that a press in between is answered at once.
  startTransition(() => {
    hydrateRoot(
      app,
      <HydrationMark app={app}>
        <App values={{ functionsUrl, anonKey, supportEmail }} parts={readStaticParts(app)} />
      </HydrationMark>,
    )
  })
}

/** Marks the page as hydrated, for tests. */
function HydrationMark({ app, children }: { app: HTMLElement; children: ReactNode }) {
  useEffect(() => {
    app.setAttribute('data-hydrated', '')
  }, [app])
  return children
}
