import { useSyncExternalStore } from 'react'
import { deskApiPath, deskPath } from '../paths.ts'

// The desk has ten addresses, so the browser's own history serves as the router. A browser without this interface loads the
// page of each address.
const history = 'navigation' in window ? window.navigation : undefined

/** A link to another view loads no new page. */
history?.addEventListener('navigate', (event) => {
  const { pathname } = new URL(event.destination.url)
  const isView = pathname.startsWith(deskPath) && !pathname.startsWith(deskApiPath)
  if (isView && event.canIntercept && event.navigationType !== 'reload')
    event.intercept({ focusReset: 'manual' })
})

/** The path below /desk/, such as `people/12`. Today: empty. */
export function usePath(): string {
  const pathname = useSyncExternalStore(listen, () => location.pathname)
  return pathname.slice(deskPath.length).replaceAll(/^\/|\/$/g, '')
}

function listen(notify: () => void): () => void {
  history?.addEventListener('currententrychange', notify)
  return () => history?.removeEventListener('currententrychange', notify)
}

export function go(to: string): void {
  location.assign(hrefOf(to))
}

export function hrefOf(to: string): string {
  return to === '' ? deskPath : `${deskPath}/${to}`
}
