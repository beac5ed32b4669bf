import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { App } from '../landing-page/landing-page.tsx'
import { readStaticParts } from '../static-part.tsx'

/** The start script imports it by this name. */
export function startPage(): void {
  const app = document.getElementById('app')
  if (!app) throw new Error('The page has no #app')
  // A transition yields every few milliseconds, so that a press in between is answered at once.
  startTransition(() => void hydrateRoot(app, <App parts={readStaticParts(app)} />))
}
