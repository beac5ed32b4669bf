import { hideTooltipsOnEscape } from './hide-tooltips.ts'

/** The script of the pages that say one thing: what the specification has on every page. */
export function startPage(): void {
  hideTooltipsOnEscape()
}
