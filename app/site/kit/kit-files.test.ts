import { expect, test } from 'vitest'
import { kit } from '#content/kit.ts'
import { kitFiles, scriptRelease } from './kit-files.ts'

const guide = Buffer.from('%PDF-1.7 a guide')

test('the list of kit files needs a version in the header of the script', () => {
  const contents = { 'ema-crossover.pine': guide, 'setup-guide.pdf': guide }
  expect(() => kitFiles(contents, kit)).toThrow('no version line')
})

test('version and date are read from the header of the script', () => {
  expect(scriptRelease('//@version=6\n// Version 1.2.3, 2030-01-31. MIT\n')).toEqual({
    version: '1.2.3',
    date: '2030-01-31',
  })
})
