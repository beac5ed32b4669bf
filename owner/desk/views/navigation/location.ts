import { navigate, useLocationProperty } from 'wouter/use-browser-location'
import { deskApiPath, deskPath, type DeskPlace } from '#contract/desk-paths.ts'

/** The path below /desk/, such as `people/12`. Today: empty. */
export function usePath(): string {
  return useLocationProperty(readPath)
}

function readPath(): string {
  return location.pathname.slice(deskPath.length).replaceAll(/^\/|\/$/g, '')
}

/** The text behind the `#`: a part of the view that is shown. Empty: whoever typed it mistyped. */
export function useHash(): string {
  return useLocationProperty(readHash)
}

function readHash(): string {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return ''
  }
}

export function hrefOf(path: DeskPlace): string {
  return path === '' ? deskPath : `${deskPath}/${path}`
}

interface GoOptions {
  /** Without an entry of its own in the history. */
  replace?: boolean
  /** What is chosen in the view. */
  state?: object
}

/** Opens a view, or a part of it. */
export function go(path: DeskPlace, { replace = false, state }: GoOptions = {}): void {
  goTo(new URL(hrefOf(path), location.href), { replace, ...(state && { state }) })
}

function goTo(url: URL, { replace = false, state }: GoOptions): void {
  const isHere = url.href === location.href
  const isOtherView = url.pathname !== location.pathname
  if (replace || isHere) navigate(url, { replace: true, state: state ?? history.state })
  else navigate(url, { state: { ...state, [cameFrom]: readPath() } })
  // A view that is named with a part goes there itself, once it shows it.
  if (isOtherView && url.hash === '') scrollTo({ top: 0, behavior: 'instant' })
}

/** Where an entry of the history keeps the path of the entry before it. */
const cameFrom = 'cameFrom'

/** Returns false if the entry before this one is of another view: nothing happens then. */
export function goBackTo(path: string): boolean {
  if (Object(history.state)[cameFrom] !== path) return false
  history.back()
  return true
}

/** A press on a link to a view loads no new page. */
export function followLinks(): void {
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || event.defaultPrevented || !isPlainPress(event)) return
    if (link.target !== '' || link.hasAttribute('download') || !isView(link)) return
    event.preventDefault()
    goTo(new URL(link.href), {})
  })
}

type Press = Pick<MouseEvent, 'button' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** Not one that asks for a new tab, a new window or a menu. */
export function isPlainPress({ button, altKey, ctrlKey, metaKey, shiftKey }: Press): boolean {
  return button === 0 && !(altKey || ctrlKey || metaKey || shiftKey)
}

function isView({ origin, pathname }: HTMLAnchorElement): boolean {
  const isBelow = (path: string) => `${pathname}/`.startsWith(`${path}/`)
  return origin === location.origin && isBelow(deskPath) && !isBelow(deskApiPath)
}
