import { readFileSync } from 'node:fs'
import { chartStyle } from '#kit/chart-paint.ts'
import type { PageName } from '../page-values.ts'
import { fontFaces } from './font-faces.ts'
import { minifyCss } from './minify-css.ts'

const everyPage = ['styles/tokens', 'styles/base', 'frame/frame', 'frame/footer', 'ui/button', 'ui/glyphs']
const form = ['ui/text-field', 'sign-up/sign-up-form', 'sign-up/success-note']
const smallPage = ['sign-up/success-note', 'frame/small-page']
const landingPage = [
  'landing-page/hero',
  'landing-page/chart',
  'ui/tooltip',
  'landing-page/whats-included',
  'landing-page/guide-miniature',
  'landing-page/how-it-works',
  'landing-page/creator-note',
  'landing-page/closing-call',
]
const last = ['ui/toaster', 'styles/print']

/** All a page's CSS, for the <style> in its head: the first paint waits for no style sheet. */
export function styleFor(page: PageName, font: string): string {
  const sheets = [...everyPage, ...sheetsOf(page), ...last].map(readSheet)
  return minifyCss([fontFaces(font), ...sheets].join('\n'))
}

function sheetsOf(page: PageName): string[] {
  switch (page) {
    case 'landing':
      return [...form, ...landingPage]
    case 'not-found':
      return ['landing-page/chart', 'not-found-page']
    case 'result-invalid':
      return [...form, ...smallPage]
    case 'kit':
      return [...smallPage, 'personal-page/kit-page', 'personal-page/guide']
    case 'result-sent':
    case 'result-already-on-list':
    case 'result-error':
    case 'unsubscribe':
    case 'unsubscribed':
    case 'erased':
      return smallPage
  }
}

/** `sheet` is a path below site/, without its ending: a part's CSS stands beside its component. */
function readSheet(sheet: string): string {
  const css = readFileSync(new URL(`../${sheet}.css`, import.meta.url), 'utf8')
  return sheet === 'landing-page/chart' ? chartColours() + css : css
}

function chartColours(): string {
  const tokens = ['paper', 'ink', 'ink2', 'rule', 'fast', 'slow', 'up', 'down'] as const
  const colours = Object.fromEntries(tokens.map((token) => [token, `var(--${token})`]))
  return chartStyle(colours as Record<(typeof tokens)[number], string>, {
    mono: 'var(--mono)',
    text: 'var(--text)',
  })
}
