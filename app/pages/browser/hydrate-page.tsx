import { startTransition, useEffect, type ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { App, isHydrated } from '../app.tsx'
import { pageValues } from '../page-values.ts'
import { readStaticParts } from '../static-part.tsx'

/** The start script imports it by this name. */
export function startPage(): void {
  const app = document.getElementById('app')
  const page = app?.dataset['page'] ?? ''
  if (!app || !isHydrated(page)) throw new Error('The page has no #app')
  const values = pageValues(Object.assign({}, document.body.dataset, app.dataset))
  // A transition yields every few milliseconds, so that a press in between is answered at once.
  startTransition(() => {
    hydrateRoot(
      app,
      <HydrationMark app={app}>
        <App page={page} values={values} parts={readStaticParts(app)} />
      </HydrationMark>,
    )
  })
}

/** Marks the page as hydrated. CSS then ends its rules for a page without JavaScript, and tests wait for the mark. */
function HydrationMark({ app, children }: { app: HTMLElement; children: ReactNode }) {
  useEffect(() => {
    app.setAttribute('data-hydrated', '')
  }, [app])
  return children
}
