import { expect, test } from 'vitest'
import { closingBand, type Colour, dark, light, type Palette } from './palette.ts'

const palettes = {
  light,
  dark,
  'closing band, light': closingBand.light,
  'closing band, dark': closingBand.dark,
}
const textColours: Colour[] = ['ink', 'ink2', 'fast', 'slow', 'up', 'down']

test.each(Object.entries(palettes))(
  '%s: every text colour has a contrast of 4.5 against its paper',
  (_, palette) => {
    for (const colour of textColours) expect(contrast(palette, colour), colour).toBeGreaterThanOrEqual(4.5)
    expect(contrast(palette, 'ink')).toBeGreaterThanOrEqual(7)
  },
)

/** WCAG 2.2, "contrast ratio". */
function contrast(palette: Palette, colour: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(palette[colour]), luminance(palette.paper)].toSorted(
    (a, b) => a - b,
  )
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
