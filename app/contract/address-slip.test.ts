import { parse } from 'tldts'
import { expect, test } from 'vitest'
import { endingSlips } from '#content/mail-domains.ts'
import { suggestAddress } from './address-slip.ts'

test.each([
  { typed: 'ana@gmial.com', meant: 'ana@gmail.com' },
  { typed: 'Ana@GMIAL.com', meant: 'Ana@gmail.com' },
  { typed: 'ana@example.con', meant: 'ana@example.com' },
  { typed: 'ana@mail.example.ogr', meant: 'ana@mail.example.org' },
  { typed: 'ana@gmial.con', meant: 'ana@gmail.com' },
  { typed: 'ana@gmail.cmo', meant: 'ana@gmail.com' },
])('$typed is probably $meant', ({ typed, meant }) => {
  expect(suggestAddress(typed)).toBe(meant)
})

test.each([
  'ana@gmail.com',
  'ana@GMAIL.com',
  'ana@example.co',
  'ana@con.example',
  'ana.con@example.com',
  'ana@constructor',
  'ana@example.constructor',
])('%s is not doubted', (typed) => {
  expect(suggestAddress(typed)).toBeUndefined()
})

test('no ending that is called a slip exists', () => {
  for (const slip of Object.keys(endingSlips)) {
    expect(parse(`example.${slip}`).isIcann, slip).toBe(false)
  }
})
