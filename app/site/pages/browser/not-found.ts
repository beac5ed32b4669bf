import { hideTooltipsOnEscape } from './hide-tooltips.ts'

/** The script of the 404 page. The specification asks for the path in the console. */
export function startPage(): void {
  hideTooltipsOnEscape()
  console.error('There is no page at this address:', location.pathname + location.search)
}
