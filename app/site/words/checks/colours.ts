import type { Colours, Palette } from '#content/palette.ts'
import type { Finding } from '../finding.ts'

/** WCAG 1.4.3, for texts of the size of ours. */
const minContrast = 4.5

export function isColour(text: string): boolean {
  return /^#[\da-f]{6}$/i.test(text)
}

/** Each colour that cannot be read on its paper. Lines are not read. */
export function checkContrast(palette: Palette): Finding[] {
  const { light, dark, closingBand } = palette
  return [
    ...unreadable('palette.light', light, light.paper, 'the light paper'),
    ...unreadable('palette.dark', dark, dark.paper, 'the dark paper'),
    ...unreadable('palette.dark', dark, light.ink, 'the dark band, which has the light ink'),
    ...unreadable('palette.dark', dark, closingBand.paperOnDark, 'the dark band'),
  ]
}

/** From 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const lighter = Math.max(luminance(one), luminance(other))
  const darker = Math.min(luminance(one), luminance(other))
  return (lighter + 0.05) / (darker + 0.05)
}

/**
 * The accents of the owner's one colour, by their paths. The first of each scheme is as near to it
 * as can be read, the second a quieter shade of that.
 */
export function accentsFrom(colour: string, palette: Palette): Record<string, string> {
  const { light, dark, closingBand } = palette
  const onLight = (wanted: string) => readableOn([light.paper], wanted, '#000000')
  const onDark = (wanted: string) =>
    readableOn([dark.paper, light.ink, closingBand.paperOnDark], wanted, '#ffffff')
  const lightAccent = onLight(colour)
  const darkAccent = onDark(colour)
  return {
    'palette.light.fast': lightAccent,
    'palette.light.slow': onLight(mix(lightAccent, light.ink, 0.5)),
    'palette.dark.fast': darkAccent,
    'palette.dark.slow': onDark(mix(darkAccent, dark.ink, 0.5)),
  }
}

/** `towards`: what the colour is mixed with, in steps, until it can be read. */
function readableOn(papers: readonly string[], colour: string, towards: string): string {
  const steps = 50
  for (let step = 0; step < steps; step += 1) {
    const mixed = mix(colour, towards, step / steps)
    if (papers.every((paper) => contrast(mixed, paper) >= minContrast)) return mixed
  }
  return towards
}

/** `share`: of the other colour, from 0 to 1. */
function mix(colour: string, other: string, share: number): string {
  const parts = [1, 3, 5].map((start) => {
    const [from, to] = [colour, other].map((one) =>
      Number.parseInt(one.slice(start, start + 2), 16),
    )
    return Math.round(from! + (to! - from!) * share)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${parts.join('')}`
}

function unreadable(path: string, colours: Colours, paper: string, name: string): Finding[] {
  if (!isColour(paper)) return []
  return Object.entries(colours).flatMap(([colour, value]) => {
    const isRead = colour !== 'paper' && colour !== 'rule' && isColour(value)
    const found = isRead ? contrast(value, paper) : minContrast
    if (found >= minContrast) return []
    const message = `On ${name} its contrast is ${found.toFixed(1)}. Words need ${minContrast}.`
    return [{ path: `${path}.${colour}`, message, kind: 'fault' }]
  })
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
