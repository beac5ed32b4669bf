import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { kit } from '#content/kit.ts'
import { kitFiles, scriptRelease } from './kit-files.ts'
import { shippedScript } from '#lab/pine/shipped-script.ts'

const script = new TextEncoder().encode(shippedScript())
const guide = Buffer.from('%PDF-1.7 a guide')

describe('the list of kit files', () => {
  test('has name, media type, length and checksum of each file', () => {
    expect(kitFiles({ 'ema-crossover.pine': script, 'setup-guide.pdf': guide })).toEqual([
      {
        name: 'ema-crossover.pine',
        savedAs: kit.script.name,
        mediaType: 'text/plain; charset=utf-8',
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        sha256: createHash('sha256').update(script).digest('hex'),
        bytes: script.length,
      },
      {
        name: 'setup-guide.pdf',
        savedAs: kit.guide.name,
        mediaType: 'application/pdf',
        version: scriptRelease(shippedScript()).version,
        sha256: createHash('sha256').update(guide).digest('hex'),
        bytes: 16,
      },
    ])
  })

  test('needs the script, and a version in its header', () => {
    expect(() => kitFiles({ 'setup-guide.pdf': guide })).toThrow('The kit has no ema-crossover.pine')
    expect(() => kitFiles({ 'ema-crossover.pine': guide })).toThrow('no version line')
  })
})

test('version and date are read from the header of the script', () => {
  expect(scriptRelease('//@version=6\n// Version 1.2.3, 2030-01-31. MIT\n')).toEqual({
    version: '1.2.3',
    date: '2030-01-31',
  })
})
