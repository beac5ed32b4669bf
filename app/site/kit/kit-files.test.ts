import { expect, test } from 'vitest'
import { asShown } from './as-shown.ts'
import { findKitFile, kitFiles, scriptRelease } from './kit-files.ts'

const script = Buffer.from('//@version=6\n// Version 1.2.3, 2030-01-31. MIT\n')
const names = { script: 'rsi.pine', guide: 'guide.pdf' }
const guide = Buffer.from('%PDF-1.7 a guide')

test('the list of kit files needs a version in the header of the script', () => {
  expect(() => kitFiles({ script: guide, guide }, names)).toThrow('no version line')
})

test('version and date are read from the header of the script', () => {
  expect(scriptRelease(script.toString())).toEqual({ version: '1.2.3', date: '2030-01-31' })
})

test.each(['\n', '\r\n', '\r'])(
  'a script with the line ends %j has lines when it is shown',
  (lineEnd) => {
    expect(asShown(Buffer.from(`//@version=6${lineEnd}plot(close)`))).toBe(
      '//@version=6\nplot(close)',
    )
  },
)

test.each([
  ['ema-crossover.pine', 'script'],
  ['a-name-of-long-ago.pine', 'script'],
  ['setup-guide.pdf', 'guide'],
  ['My-guide.pdf', 'guide'],
  ['unsubscribe', undefined],
  ['.env', undefined],
])('the address %s leads to the %s', (name, kind) => {
  expect(findKitFile(kitFiles({ script, guide }, names), name)?.kind).toBe(kind)
})
