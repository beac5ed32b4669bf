import type { Drawing, Lettering, Point, Shape } from './drawing.ts'

/**
 * A drawing as an SVG element for the HTML version. Colours and faces are the page's custom properties, set by
 * presentation attributes, which a strict style-src allows and any style sheet may overrule.
 */
export function drawingAsSvg(drawing: Drawing): string {
  const shapes = drawing.shapes.map(drawn).join('')
  const label = escapeHtml(drawing.description)
  return `<svg class="guide-drawing" role="img" aria-label="${label}" viewBox="0 0 ${drawing.width} ${round(drawing.height)}">${shapes}</svg>`
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function drawn(shape: Shape): string {
  switch (shape.kind) {
    case 'rect': {
      const { x, y, width, height } = shape
      return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"${paint(shape)}/>`
    }
    case 'path':
      return `<path d="${shape.d}"${paint(shape)}/>`
    case 'line':
      return `<path d="${trace(shape.points)}"${paint(shape)}/>`
    case 'polygon':
      return `<path d="${trace(shape.points)}z"${paint(shape)}/>`
    case 'text':
      return lettered(shape)
    default:
      return shape satisfies never
  }
}

function paint(look: { fill?: string; stroke?: string; weight?: number }): string {
  const fill = ` fill="${look.fill ? `var(--${look.fill})` : 'none'}"`
  return look.stroke ? `${fill} stroke="var(--${look.stroke})" stroke-width="${look.weight ?? 0.75}"` : fill
}

function trace(points: readonly Point[]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')
}

const anchors = { left: '', centre: ' text-anchor="middle"', right: ' text-anchor="end"' }
const faces = {
  text: '',
  medium: ' font-weight="500"',
  strong: ' font-weight="600"',
  mono: ' font-family="var(--mono)"',
  monoBold: ' font-family="var(--mono)" font-weight="700"',
}

function lettered(shape: Lettering): string {
  const place = `x="${round(shape.x)}" y="${round(shape.y)}" font-size="${shape.size}"${faces[shape.face]}${anchors[shape.align ?? 'left']}`
  const halo = shape.halo ? ' stroke="var(--paper)" stroke-width="4" paint-order="stroke"' : ''
  // SVG drops leading spaces, and code lives by them.
  const text = shape.text.replace(/^ +/, (spaces) => '\u00A0'.repeat(spaces.length))
  return `<text ${place} fill="var(--${shape.ink})"${halo}>${escapeHtml(text)}</text>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
