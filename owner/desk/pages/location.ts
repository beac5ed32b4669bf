import { type MouseEvent, useSyncExternalStore } from 'react'
import { deskPath } from '../paths.ts'

// The desk has nine addresses, so the browser's own history serves as the router.

/** The path below /desk/, such as `people/12`. Today: empty. */
export function usePath(): string {
  return useSyncExternalStore(listen, readPath)
}

function readPath(): string {
  return location.pathname.slice(deskPath.length).replaceAll(/^\/|\/$/g, '')
}

function listen(notify: () => void): () => void {
  addEventListener('popstate', notify)
  return () => removeEventListener('popstate', notify)
}

export function go(to: string): void {
  history.pushState(null, '', hrefOf(to))
  dispatchEvent(new PopStateEvent('popstate'))
  scrollTo(0, 0)
}

function hrefOf(to: string): string {
  return to === '' ? deskPath : `${deskPath}/${to}`
}

/** The attributes of a link to a view. */
export function linkTo(to: string) {
  return {
    href: hrefOf(to),
    onClick(event: MouseEvent) {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return // a window of its own
      event.preventDefault()
      go(to)
    },
  }
}
