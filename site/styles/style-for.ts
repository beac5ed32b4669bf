import { readFileSync } from 'node:fs'
import { chartStyle } from '#starter-kit/chart-paint.ts'
import type { PageName } from '../page-values.ts'
import { fontFaces } from './font-faces.ts'
import { minifyCss } from './minify-css.ts'

/** All a page's CSS, for the <style> in its head: the first paint waits for no style sheet. */
export function styleFor(page: PageName, font: string): string {
  return minifyCss(
    [fontFaces(font), ...['base', 'frame', ...sheetsOf(page), 'overlays'].map(readSheet)].join('\n'),
  )
}

function sheetsOf(page: PageName): string[] {
  switch (page) {
    case 'landing':
      return ['form', 'chart', 'landing', 'whats-included']
    case 'not-found':
      return ['chart', 'not-found']
    case 'result-invalid':
      return ['form', 'small-pages']
    case 'kit':
      return ['chart', 'small-pages', 'personal-page']
    case 'result-sent':
    case 'result-already-on-list':
    case 'result-error':
    case 'unsubscribe':
    case 'unsubscribed':
    case 'erased':
      return ['small-pages']
  }
}

function readSheet(name: string): string {
  const css = readFileSync(new URL(`${name}.css`, import.meta.url), 'utf8')
  return name === 'chart' ? css + chartColours() : css
}

function chartColours(): string {
  const tokens = ['paper', 'ink', 'ink2', 'rule', 'fast', 'slow', 'up', 'down'] as const
  const colours = Object.fromEntries(tokens.map((token) => [token, `var(--${token})`]))
  return chartStyle(colours as Record<(typeof tokens)[number], string>, {
    mono: 'var(--mono)',
    text: 'var(--text)',
  })
}
