import subsetFont from 'subset-font'
import { expect, test } from 'vitest'
import { glyphOf } from './character-map.ts'
import { makeTextFont } from './text-font.ts'

const font = await makeTextFont()
const unpacked = await subsetFont(font, "'’a…\u00a0é", { targetFormat: 'sfnt' })

const glyph = (character: string) => glyphOf(unpacked, character)

test('the typewriter apostrophe has the glyph of the typographic one', () => {
  expect(glyph("'")).toBeGreaterThan(0)
  expect(glyph("'")).toBe(glyph('’'))
  expect(glyph('a')).not.toBe(glyph('’'))
})

test('the font has the characters of our texts and no others', () => {
  expect(glyph('…')).toBeGreaterThan(0)
  expect(glyph('\u00a0')).toBeGreaterThan(0)
  expect(glyph('é')).toBe(0)
})

test('the font has at most the size that the design allows', () => {
  expect(font.length).toBeLessThan(23_700)
})

test('the font is variable in weight', () => {
  expect(unpacked.includes('fvar')).toBe(true)
})
