import { expect, test } from 'vitest'
import { palette } from '#content/palette.ts'
import { accentsFrom, checkContrast } from './colours.ts'

test.each(['#ffff00', '#000000', '#ffffff', '#7a3cff', '#808080', '#E91E63'])(
  'the accents of %s can be read on every paper',
  (colour) => {
    const accents = accentsFrom(colour, palette)
    const of = (scheme: 'light' | 'dark') => ({
      ...palette[scheme],
      fast: accents[`palette.${scheme}.fast`]!,
      slow: accents[`palette.${scheme}.slow`]!,
    })
    expect(checkContrast({ ...palette, light: of('light'), dark: of('dark') })).toEqual([])
  },
)

test('a colour that can be read stays as it is', () => {
  expect(accentsFrom('#c2370a', palette)['palette.light.fast']).toBe('#c2370a')
  expect(accentsFrom('#ff8b52', palette)['palette.dark.fast']).toBe('#ff8b52')
})
