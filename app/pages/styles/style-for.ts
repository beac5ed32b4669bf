import type { Colours, Palette } from '#content/palette.ts'

/** Sheets of every page, before its own. Paths are below app/pages/, without the ending. */
const first = ['styles/tokens', 'styles/base', 'frame/frame', 'ui/button', 'ui/toaster']

export const formSheets = ['ui/text-field', 'sign-up/sign-up-form', 'sign-up/success-note']
export const landingSheets = [
  ...formSheets,
  'landing-page/landing-page',
  'landing-page/hero',
  'frame/chart',
  'ui/tooltip',
  'landing-page/whats-included/whats-included',
  'landing-page/how-it-works',
  'landing-page/creator-note',
  'landing-page/closing-call',
]
export const kitSheets = [
  'ui/text-field',
  ...['personal-page', 'script-section', 'bridge-section', 'guide', 'what-changed'].map(
    (sheet) => `small-pages/personal-page/${sheet}`,
  ),
]

/**
 * A file of the text font. `characters`: those it is fetched for, as a CSS unicode-range; left out
 * for the first file.
 */
export interface FontFile {
  readonly url: string
  readonly characters?: string
}

/** All the CSS of a page, inline in its head: the first paint waits for no style sheet. */
export function styleFor(
  names: readonly string[],
  palette: Palette,
  { fonts, sheets }: StyleAssets,
): string {
  const own = [...first, ...names].map((name) => {
    const sheet = sheets[name]
    if (sheet === undefined) throw new Error(`There is no style sheet ${name}`)
    return sheet
  })
  return [fontFaces(fonts), coloursOf(palette), ...own].join('')
}

/** What the build makes of fonts and style sheets. */
export interface StyleAssets {
  readonly fonts: readonly FontFile[]
  /** Each style sheet, minified, by its path below app/pages/ without the ending. */
  readonly sheets: Readonly<Record<string, string>>
}

/** Without JavaScript no script turns the font on, or lays out the rest of the page. */
export const styleWithoutScript =
  ':root{--text:Besley,var(--stand-ins)}.later{content-visibility:visible}'

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
