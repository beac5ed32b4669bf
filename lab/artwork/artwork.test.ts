import { expect, test } from 'vitest'
import { readArtwork } from '#build/share/artwork.ts'
import { recordSample, shippedScript } from '../pine/pine-runner.ts'

test('the recorded run is that of the script: else npm run artwork', async () => {
  expect(await recordSample(shippedScript())).toBe(readArtwork('sample-run.json').toString())
})

test('a page loads a small font first, and the accented Latin letters only where they are used', () => {
  const bytes = (name: string) => readArtwork(`${name}.woff2`).length
  expect(bytes('besley')).toBeLessThan(23_700)
  expect(bytes('besley-latin-1') + bytes('besley-latin-extended-a')).toBeLessThan(28_000)
})
