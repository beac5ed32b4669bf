import { expect, test } from 'vitest'
import { readArtwork } from '#build/share/artwork.ts'
import { recordScript, shippedScript } from '../pine/pine-runner.ts'

test('lengths, costs and messages of the charts are those of the script: else npm run artwork', async () => {
  expect(await recordScript(shippedScript())).toBe(readArtwork('script-record.json').toString())
})

test('a page loads a small font first, and the accented Latin letters only where they are used', () => {
  const bytes = (name: string) => readArtwork(`${name}.woff2`).length
  expect(bytes('besley')).toBeLessThan(23_700)
  expect(bytes('besley-latin-1') + bytes('besley-latin-extended-a')).toBeLessThan(28_000)
})
