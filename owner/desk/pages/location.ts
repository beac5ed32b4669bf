import { createStore, useStore } from '@mantine/store'
import { deskApiPath, deskPath } from '../paths.ts'

// The desk has ten addresses, so the browser's own history serves as the router. A browser without
// this interface loads the page of each address.
const history = 'navigation' in window ? window.navigation : undefined

/** A link to another view loads no new page. */
history?.addEventListener('navigate', (event) => {
  const { pathname } = new URL(event.destination.url)
  const isView = pathname.startsWith(deskPath) && !pathname.startsWith(deskApiPath)
  if (isView && event.canIntercept && event.navigationType !== 'reload') {
    event.intercept({ focusReset: 'manual' })
  }
})

const current = createStore(location.pathname)
history?.addEventListener('currententrychange', () => current.setState(location.pathname))

/** The path below /desk/, such as `people/12`. Today: empty. */
export function usePath(): string {
  return useStore(current)
    .slice(deskPath.length)
    .replaceAll(/^\/|\/$/g, '')
}

export function hrefOf(to: string): string {
  return to === '' ? deskPath : `${deskPath}/${to}`
}
