import { startTransition, useEffect, type ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { App } from '../app.tsx'
import { readPageValues } from '../page-values.ts'
import { readStaticParts } from '../static-part.tsx'

/** The start script imports it by this name. */
export function startPage(): void {
  const app = document.getElementById('app')
  if (!app) throw new Error('The page has no #app')
  const { page = '' } = app.dataset
  if (page.endsWith('not-found')) console.error('There is no page at this address:', location.pathname)
  // For CSS, whose rules for a page without JavaScript no longer apply, and for tests.
  const onHydrated = () => void (app.dataset.hydrated = '')
  // A transition yields every few milliseconds, so that a press in between is answered at once.
  startTransition(() => {
    hydrateRoot(
      app,
      <HydrationMark onHydrated={onHydrated}>
        <App page={page} values={readPageValues(document, app)} parts={readStaticParts(app)} />
      </HydrationMark>,
    )
  })
}

interface HydrationMarkProps {
  onHydrated: () => void
  children: ReactNode
}

function HydrationMark({ onHydrated, children }: HydrationMarkProps) {
  useEffect(onHydrated, [onHydrated])
  return children
}
