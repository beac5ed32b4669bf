import { useSyncExternalStore } from 'react'
import { deskApiPath, deskPath } from '#contract/desk-paths.ts'

// The desk has some ten addresses, so the browser's own history serves as the router. A browser
// without this interface loads the page of each address.
const navigation = 'navigation' in window ? window.navigation : undefined

/** A link to another view loads no new page. */
navigation?.addEventListener('navigate', (event) => {
  const { pathname } = new URL(event.destination.url)
  const isView = pathname.startsWith(deskPath) && !pathname.startsWith(deskApiPath)
  // With `replace` only what is chosen in the view changed.
  const isOtherView = event.navigationType === 'push' || event.navigationType === 'traverse'
  if (isView && isOtherView && event.canIntercept) event.intercept({ focusReset: 'manual' })
})

const listeners = new Set<() => void>()
navigation?.addEventListener('currententrychange', notifyListeners)
addEventListener('hashchange', notifyListeners)

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The path below /desk/, such as `people/12`. Today: empty. */
export function usePath(): string {
  return useSyncExternalStore(subscribe, readPath)
}

function readPath(): string {
  return location.pathname.slice(deskPath.length).replaceAll(/^\/|\/$/g, '')
}

/** The text behind the `#`: a part of the view that is shown. */
export function useHash(): string {
  return useSyncExternalStore(subscribe, readHash)
}

function readHash(): string {
  const hash = location.hash.slice(1)
  try {
    return decodeURIComponent(hash)
  } catch {
    return hash // somebody typed a %
  }
}

export function hrefOf(path: string): string {
  return path === '' ? deskPath : `${deskPath}/${path}`
}

/** Opens a view, or a part of it. */
export function navigateTo(href: string): void {
  if (navigation) navigation.navigate(href)
  else location.assign(href)
}

/** Names another part of the view as the one that is shown, without an entry in the history. */
export function replaceHash(hash: string): void {
  history.replaceState(history.state, '', `#${encodeURIComponent(hash)}`)
  notifyListeners()
}

/** Opens a view by code. `state`: what is chosen in it. */
export function openView(path: string, state: object = {}): void {
  history.pushState(state, '', hrefOf(path))
  notifyListeners()
}

/** Changes what the current entry of the history holds. Its address stays. */
export function replaceEntryState(state: object): void {
  history.replaceState(state, '')
  notifyListeners()
}

/** Returns false if the entry before this one is of another view: nothing happens then. */
export function goBackTo(path: string): boolean {
  const index = navigation?.currentEntry?.index ?? 0
  const before = navigation?.entries()[index - 1]
  if (!before?.url || new URL(before.url).pathname !== hrefOf(path)) return false
  navigation?.back()
  return true
}
