import { startTransition } from 'react'
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
    const values = { functionsUrl, anonKey, supportEmail }
    hydrateRoot(app, <App values={values} parts={readStaticParts(app)} />)
  })
}
