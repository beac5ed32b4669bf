import { expect, test } from 'vitest'
import { readOrigin, sourceOfPage } from './sign-up-origin.ts'

const nothing = { form: undefined, source: undefined, typoRescued: undefined }
const origins = new Set(['https://bot.example'])

test.each([
  ['newsletter', 'newsletter'],
  ['Partner-Site_2.de', 'partner-site_2.de'],
  ['a'.repeat(40), 'a'.repeat(40)],
  ['a'.repeat(41), 'other'],
  ['', 'none'],
  [null, 'none'],
  [undefined, 'none'],
  ['ada@example.com', 'other'],
  ['-dash-first', 'other'],
  ['two words', 'other'],
  ['näher', 'other'],
  ['newsletter\n', 'other'],
  [42, 'other'],
  [['newsletter'], 'other'],
  [{ toString: 'newsletter' }, 'other'],
])('the source %j is counted as %s', (source, counted) => {
  expect(readOrigin({ ...nothing, source })).toEqual({ form: 'program', source: counted, typoRescued: false })
})

test.each([
  ['hero', 'hero'],
  ['closing', 'closing'],
  ...[undefined, null, 'footer', 'program', 'toString', ['hero'], {}, 7].map((other) => [other, 'program']),
])('the form %j is counted as %s', (form, counted) => {
  expect(readOrigin({ ...nothing, form }).form).toBe(counted)
})

test('rescued is what says true, and nothing like it', () => {
  const rescued = [true, 'true', 1, {}, undefined].map((typoRescued) =>
    readOrigin({ ...nothing, typoRescued }),
  )
  expect(rescued.map((origin) => origin.typoRescued)).toEqual([true, false, false, false, false])
})

test.each([
  ['https://bot.example/?utm_medium=mail&utm_source=newsletter', 'newsletter'],
  ['https://bot.example/?utm_medium=mail', null],
  ['https://evil.example/?utm_source=newsletter', null],
  ['http://bot.example/?utm_source=newsletter', null],
  ['utm_source=newsletter', null],
  [undefined, null],
])('of a plain form, the page %j names the source %j', (referer, source) => {
  expect(sourceOfPage(referer, origins)).toBe(source)
})
