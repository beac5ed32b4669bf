import type { Colour } from '#content/palette.ts'
import { svg, type SvgElement } from './svg.ts'

export type Look = SvgElement['attributes']

const mono = { 'font-family': 'var(--mono)', 'font-size': 13 }
const stroked = (colour: Colour) => ({ fill: 'none', stroke: `var(--${colour})` })

export function filled(colour: Colour): Look {
  return { fill: `var(--${colour})` }
}

/**
 * The looks of the parts, for the pages, the guide and the picture of shared links. Colours and
 * faces are custom properties.
 */
export const looks = {
  rule: stroked('rule'),
  wick: stroked('ink2'),
  hollow: { fill: 'var(--paper)', stroke: 'var(--ink2)' },
  solid: { ...stroked('ink2'), 'stroke-width': 7 },
  // Fast is the thin line and slow the heavy one, so they read without colour.
  slow: { ...stroked('slow'), 'stroke-width': 3.5, 'stroke-linejoin': 'round' },
  fast: { ...stroked('fast'), 'stroke-width': 2, 'stroke-linejoin': 'round' },
  leader: stroked('ink'),
  stop: { ...stroked('ink'), 'stroke-dasharray': 4 },
  value: { ...mono, ...filled('ink2'), 'text-anchor': 'middle' },
  tag: { ...mono, ...filled('paper'), 'text-anchor': 'middle' },
  // The letters have an edge around them, below them.
  mark: {
    ...mono,
    ...filled('ink'),
    stroke: 'var(--paper)',
    'stroke-width': 4,
    'stroke-linejoin': 'round',
    'paint-order': 'stroke',
    'text-anchor': 'middle',
  },
  note: { 'font-family': 'var(--text)', 'font-size': 15, ...filled('ink') },
} satisfies Record<string, Look>

export function path(look: Look, d: string): SvgElement {
  return svg('path', { ...look, d })
}

export interface Label {
  readonly x: number
  readonly y: number
  readonly text: string
}

/** The texts as one group, or nothing if there are none. */
export function labels(look: Look, texts: readonly Label[]): SvgElement[] {
  if (texts.length === 0) return []
  return [svg('g', look, ...texts.map(({ x, y, text }) => svg('text', { x, y }, text)))]
}
