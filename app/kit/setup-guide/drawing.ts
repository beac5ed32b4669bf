import type { Colour } from '../chart-paint.ts'

/** A colour token of the design; what it looks like is decided where a drawing is put down. */
export type Ink = Colour
export type Face = 'text' | 'medium' | 'strong' | 'mono' | 'monoBold'
export type Point = readonly [x: number, y: number]

export type Shape =
  | {
      kind: 'rect'
      x: number
      y: number
      width: number
      height: number
      fill?: Ink
      stroke?: Ink
      weight?: number
    }
  | { kind: 'line'; points: readonly Point[]; stroke: Ink; weight: number }
  | { kind: 'polygon'; points: readonly Point[]; fill: Ink }
  | { kind: 'path'; d: string; fill?: Ink; stroke?: Ink; weight?: number }
  | Lettering

export interface Lettering {
  kind: 'text'
  x: number
  /** The base line. */
  y: number
  text: string
  size: number
  face: Face
  ink: Ink
  align?: 'left' | 'right' | 'centre'
  /** A ring of paper around the letters, so that lines below do not cut them. */
  halo?: boolean
}

/** A picture with y downwards, scaled to the width it gets: drawn alike into the PDF and the HTML version. */
export interface Drawing {
  readonly width: number
  readonly height: number
  /** What it shows, for who cannot see it. */
  readonly description: string
  readonly shapes: readonly Shape[]
}

export const box = (
  x: number,
  y: number,
  width: number,
  height: number,
  look: { fill?: Ink; stroke?: Ink; weight?: number } = { stroke: 'ink2' },
): Shape => ({ kind: 'rect', x, y, width, height, ...look })

export const line = (points: readonly Point[], stroke: Ink = 'rule', weight = 0.75): Shape => ({
  kind: 'line',
  points,
  stroke,
  weight,
})

export const mono = (x: number, y: number, text: string, more: Partial<Lettering> = {}): Shape => ({
  kind: 'text',
  x,
  y,
  text,
  size: 8,
  face: 'mono',
  ink: 'ink',
  ...more,
})

export const words = (x: number, y: number, text: string, more: Partial<Lettering> = {}): Shape => ({
  kind: 'text',
  x,
  y,
  text,
  size: 9,
  face: 'text',
  ink: 'ink',
  ...more,
})
