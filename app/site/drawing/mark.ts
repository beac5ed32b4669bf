import type { Colours, Palette } from '#content/palette.ts'

/** The mark: the two lines that cross. */
export function mark({ fast, slow }: Colours): string {
  return `<g fill="none">
    <path class="slow" stroke="${slow}" stroke-width="5" d="M1 11C12 11 20 21 31 21" />
    <path class="fast" stroke="${fast}" stroke-width="3" d="M1 27C15 27 17 5 31 5" />
  </g>`
}

/** The icon in the tab of a browser, on its own paper. */
export function favicon({ light, dark }: Palette): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <style>@media (prefers-color-scheme: dark) { .slow { stroke: ${dark.slow} } .fast { stroke: ${dark.fast} } }</style>
  ${mark(light)}
</svg>
`
}

/** The mark on paper. It keeps to the middle, so that a phone may round the corners. */
export function icon(colours: Colours): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 52 52">
    <rect width="52" height="52" fill="${colours.paper}" />
    <svg x="10" y="10" width="32" height="32" viewBox="0 0 32 32">${mark(colours)}</svg>
  </svg>`
}
