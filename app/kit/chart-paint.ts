import type { Colour } from '#content/palette.ts'

export type Role = keyof typeof paints
type Face = 'mono' | 'text'

/** Lengths are in chart units. */
interface Paint {
  readonly fill?: Colour
  readonly stroke?: Colour
  readonly width?: number
  readonly dash?: number
  readonly face?: Face
  readonly size?: number
  /** The stroke is an edge around the letters, below them. */
  readonly isHalo?: true
}

/** Fast is the thin line and slow the heavy one, so they read without colour. */
const paints = {
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
  value: { fill: 'ink2', face: 'mono', size: 13 },
  tag: { fill: 'paper', face: 'mono', size: 13 },
  mark: { fill: 'ink', face: 'mono', size: 13, stroke: 'paper', width: 4, isHalo: true },
  note: { fill: 'ink', face: 'text', size: 15 },
} as const satisfies Record<string, Paint>

const roundJoins = ['fast', 'slow', 'mark', 'note']

type ValueOf = (token: Colour | Face) => string

/** The name of the page's custom property. */
export const customProperty: ValueOf = (token) => `var(--${token})`

/** CSS for the classes of `drawChart`, one rule per role. */
export function chartStyle(valueOf: ValueOf): string {
  const rules = Object.entries(paints).map(([role, paint]) => {
    const properties = declarations(paint, valueOf)
    return `.c-${role}{${properties.map(([property, value]) => `${property}:${value}`).join(';')}}`
  })
  return [...rules, `${roundJoins.map((role) => `.c-${role}`).join()}{stroke-linejoin:round}`].join('\n')
}

/** These styles as attributes, for a drawing without a style sheet: `fill="var(--ink)"`. */
export function paintAttributes(role: Role): string {
  const attributes = declarations(paints[role], customProperty)
  if (roundJoins.includes(role)) attributes.push(['stroke-linejoin', 'round'])
  return attributes.map(([property, value]) => `${property}="${value}"`).join(' ')
}

function declarations(paint: Paint, valueOf: ValueOf): [string, string | number][] {
  const { fill, stroke, width, dash, face, size, isHalo } = paint
  const properties = {
    fill: fill ? valueOf(fill) : 'none',
    'font-family': face && valueOf(face),
    'font-size': size && `${size}px`,
    stroke: stroke && valueOf(stroke),
    'stroke-width': width,
    'stroke-dasharray': dash,
    'paint-order': isHalo && 'stroke',
  }
  return Object.entries(properties).flatMap(([property, value]) =>
    value === undefined ? [] : [[property, value]],
  )
}
