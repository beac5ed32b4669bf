import type { PathRole, TextRole } from './chart-shape.ts'

/** The tokens of the design; each medium brings its own values for them. */
export type Colour = 'paper' | 'ink' | 'ink2' | 'rule' | 'fast' | 'slow' | 'up' | 'down'

export interface PathPaint {
  readonly fill?: Colour
  readonly stroke?: Colour
  /** Chart units. */
  readonly width?: number
  readonly dash?: number
}

/** Fast is the thin line and slow the heavy one, so they read without colour. */
export const pathPaints: Record<PathRole, PathPaint> = {
  rule: { stroke: 'rule', width: 1 },
  wick: { stroke: 'ink2', width: 1 },
  hollow: { fill: 'paper', stroke: 'ink2', width: 1 },
  solid: { stroke: 'ink2', width: 7 },
  slow: { stroke: 'slow', width: 3.5 },
  fast: { stroke: 'fast', width: 2 },
  up: { fill: 'up' },
  down: { fill: 'down' },
  'tag-slow': { fill: 'slow' },
  'tag-fast': { fill: 'fast' },
  'tag-ink': { fill: 'ink' },
  leader: { stroke: 'ink', width: 1 },
  stop: { stroke: 'ink', width: 1, dash: 4 },
}

export interface TextPaint {
  readonly colour: Colour
  readonly face: 'mono' | 'text'
  /** Chart units. */
  readonly size: number
  /** Width of the paper edge around the letters, chart units. */
  readonly halo?: number
}

export const textPaints: Record<TextRole, TextPaint> = {
  value: { colour: 'ink2', face: 'mono', size: 13 },
  tag: { colour: 'paper', face: 'mono', size: 13 },
  mark: { colour: 'ink', face: 'mono', size: 13, halo: 4 },
  note: { colour: 'ink', face: 'text', size: 15 },
}

/** CSS for the SVG's classes, one rule per role. The values may be custom properties: `var(--ink)`. */
export function chartStyle(colours: Record<Colour, string>, faces: Record<'mono' | 'text', string>): string {
  const paths = Object.entries(pathPaints).map(([role, { fill, stroke, width, dash }]) => {
    const line = stroke ? `;stroke:${colours[stroke]};stroke-width:${width}` : ''
    return `.c-${role}{fill:${fill ? colours[fill] : 'none'}${line}${dash ? `;stroke-dasharray:${dash}` : ''}}`
  })
  const texts = Object.entries(textPaints).map(([role, { colour, face, size, halo }]) => {
    const edge = halo ? `;stroke:${colours.paper};stroke-width:${halo};paint-order:stroke` : ''
    return `.c-${role}{fill:${colours[colour]};font-family:${faces[face]};font-size:${size}px${edge}}`
  })
  return [...paths, ...texts, '.c-fast,.c-slow,.c-mark,.c-note{stroke-linejoin:round}'].join('\n')
}
