import { expect, test, vi } from 'vitest'
import { makeShareFiles } from './share-files.ts'

// Every picture below is drawn with words that markup would misread.
vi.mock(import('#content/brand.ts'), async (load) => ({
  brand: { ...(await load()).brand, name: 'Ada & <Co>' },
}))
vi.mock('#content/setup-guide.ts', async (load) => {
  const real = await load<typeof import('#content/setup-guide.ts')>()
  return { ...real, setupGuide: { ...real.setupGuide, falseSignal: ['bought & sold', '<at a loss>'] } }
})

const files = await makeShareFiles()

/** Width and height as a PNG's header gives them. */
function sizeOf(name: string): [number, number] {
  const png = Buffer.from(files[name] ?? '')
  expect(png.toString('latin1', 1, 4)).toBe('PNG')
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

test('the picture for a shared link shows any name, and has the size that link previews ask for', () => {
  expect(sizeOf('og.png')).toEqual([1200, 630])
})

test('every icon has the size in its name and in the manifest', () => {
  const manifest: { icons: { src: string; sizes: string }[] } = JSON.parse(String(files['site.webmanifest']))
  expect(manifest.icons).toHaveLength(2)
  for (const { src, sizes } of manifest.icons) expect(sizeOf(src.slice(1)).join('x')).toBe(sizes)
  expect(sizeOf('apple-touch-icon.png')).toEqual([180, 180])
})

test('the SVG icon has colours for a dark scheme', () => {
  expect(files['favicon.svg']).toContain('prefers-color-scheme: dark')
})

test('robots.txt names the sitemap, and the sitemap the page, at the address of the server', () => {
  expect(files['robots.txt']).toContain('Sitemap: {{publicUrl}}/sitemap.xml')
  expect(files['sitemap.xml']).toContain('<loc>{{publicUrl}}/</loc>')
})
