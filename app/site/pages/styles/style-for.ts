import type { Colours, Palette } from '#content/palette.ts'
import type { PageModule } from '../page-table.ts'

/**
 * A file of the text font. `characters`: those it is fetched for, as a CSS unicode-range; left out
 * for the first file.
 */
export interface FontFile {
  readonly url: string
  readonly characters?: string
}

/** Fonts and style sheets, as the build makes them. */
export interface StyleAssets {
  readonly fonts: readonly FontFile[]
  /** The sheets that a page's components import, minified, by the kind of the page. */
  readonly styles: Readonly<Record<PageModule, string>>
}

/** All the CSS of a page, inline in its head: the first paint waits for no style sheet. */
export function styleFor(
  module: PageModule,
  palette: Palette,
  { fonts, styles }: StyleAssets,
): string {
  return fontFaces(fonts) + coloursOf(palette) + styles[module]
}

/** The sheet for pages without JavaScript, which would turn the font on and lay out the rest. */
export const styleWithoutScript =
  ':root{--text:Besley,var(--stand-ins)}.later{content-visibility:visible}.try-lengths{display:none}'

/**
 * The text font and its stand-ins. Their metrics are measured, so that nothing moves when the font
 * comes.
 */
export function fontFaces(fonts: readonly FontFile[]): string {
  return [
    ...fonts.map(({ url, characters }) => {
      const range = characters === undefined ? '' : `;unicode-range:${characters}`
      return `@font-face{font-family:Besley;src:url(${url}) format("woff2");font-weight:400 600;font-display:swap${range}}`
    }),
    ...standIns.map(
      ({ name, local, size, ascent, descent }) =>
        `@font-face{font-family:${name};src:${local.map((face) => `local("${face}")`).join()};size-adjust:${size}%;ascent-override:${ascent}%;descent-override:${descent}%;line-gap-override:0%}`,
    ),
  ].join('')
}

const standIns = [
  { name: 'b1', local: ['Georgia'], size: 114.4, ascent: 109.3, descent: 37.2 },
  { name: 'b2', local: ['Noto Serif'], size: 105.5, ascent: 118.5, descent: 40.3 },
  {
    name: 'b3',
    local: ['Times New Roman', 'Liberation Serif'],
    size: 124.4,
    ascent: 100.5,
    descent: 34.2,
  },
  { name: 'b4', local: ['DejaVu Serif'], size: 97, ascent: 128.9, descent: 43.9 },
  {
    name: 'b5',
    local: ['Open Sans Regular', 'OpenSans-Regular'],
    size: 106,
    ascent: 118,
    descent: 40.1,
  },
]

function coloursOf({ light, dark, closingBand: { rule, paperOnDark } }: Palette): string {
  const properties = (colours: Colours) =>
    Object.entries(colours)
      .map(([name, value]) => `--${name}:${value}`)
      .join(';')
  return [
    `:root{${properties(light)}}`,
    `.closing{${properties({ ...dark, paper: light.ink, rule })}}`,
    `@media (prefers-color-scheme:dark){:root{${properties(dark)}}.closing{${properties({ ...dark, paper: paperOnDark, rule })}}}`,
  ].join('')
}
