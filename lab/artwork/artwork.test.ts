import { expect, test } from 'vitest'
import { artworkHashes, artworkSources, readArtwork, staleArtwork } from '#build/share/artwork.ts'
import { drawingCode } from './drawing-code.ts'

test('the committed artwork is not older than script, guide, brand, colours and the code that draws it: else npm run artwork', () => {
  expect(staleArtwork()).toEqual([])
  const drawn: Record<string, string> = JSON.parse(readArtwork('drawn-from.json').toString())
  expect(drawn).toEqual(artworkHashes({ ...artworkSources(), code: drawingCode() }))
})

test('a page loads a small font first, and the accented Latin letters only where they are used', () => {
  const bytes = (name: string) => readArtwork(`${name}.woff2`).length
  expect(bytes('besley')).toBeLessThan(23_700)
  expect(bytes('besley-latin-1') + bytes('besley-latin-extended-a')).toBeLessThan(28_000)
})

test('icons and the picture for a shared link have the sizes that their names and link previews ask for', () => {
  const sizes = ['og', 'icon-192', 'apple-touch-icon'].map((name) => {
    const png = readArtwork(`${name}.png`)
    return [png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]
  })
  expect(sizes).toEqual([
    ['PNG', 1200, 630],
    ['PNG', 192, 192],
    ['PNG', 180, 180],
  ])
})
