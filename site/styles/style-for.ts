import { chartStyle } from '#starter-kit/chart-paint.ts'
import type { PageName } from '../page-values.ts'
import base from './base.css?raw'
import chart from './chart.css?raw'
import form from './form.css?raw'
import frame from './frame.css?raw'
import landing from './landing.css?raw'
import notFound from './not-found.css?raw'
import overlays from './overlays.css?raw'
import personalPage from './personal-page.css?raw'
import smallPages from './small-pages.css?raw'
import whatsIncluded from './whats-included.css?raw'
import { fontFaces } from './font-faces.ts'
import { minifyCss } from './minify-css.ts'

/** All a page's CSS, for the <style> in its head: the first paint waits for no style sheet. */
export function styleFor(page: PageName, font: string): string {
  return minifyCss([fontFaces(font), base, frame, ...sheetsOf(page), overlays].join('\n'))
}

function sheetsOf(page: PageName): string[] {
  switch (page) {
    case 'landing':
      return [form, chart, chartColours(), landing, whatsIncluded]
    case 'not-found':
      return [chart, chartColours(), notFound]
    case 'result-invalid':
      return [form, smallPages]
    case 'kit':
      return [chart, chartColours(), smallPages, personalPage]
    case 'result-sent':
    case 'result-already-on-list':
    case 'result-error':
    case 'unsubscribe':
    case 'unsubscribed':
    case 'erased':
      return [smallPages]
  }
}

function chartColours(): string {
  const tokens = ['paper', 'ink', 'ink2', 'rule', 'fast', 'slow', 'up', 'down'] as const
  const colours = Object.fromEntries(tokens.map((token) => [token, `var(--${token})`]))
  return chartStyle(colours as Record<(typeof tokens)[number], string>, {
    mono: 'var(--mono)',
    text: 'var(--text)',
  })
}
