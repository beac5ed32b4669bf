import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { HydrationMark } from './hydration-mark.tsx'
import { readPageValues, type PageName } from './page-values.ts'
import { readStaticParts } from './static-part.tsx'

export function hydratePage(): void {
  const app = document.getElementById('app')
  if (!app) throw new Error('The page has no #app')
  const page = app.dataset.page as PageName // written by render-pages.tsx from the same type
  // For CSS, whose rules for a page without JavaScript step back, and for whoever watches.
  const onHydrated = () => void (app.dataset.hydrated = '')
  // A transition gives the thread back every few milliseconds; a press in between is still answered at once.
  startTransition(() => {
    hydrateRoot(
      app,
      <HydrationMark onHydrated={onHydrated}>
        <App page={page} values={readPageValues(document, app)} parts={readStaticParts(app)} />
      </HydrationMark>,
    )
  })
}
