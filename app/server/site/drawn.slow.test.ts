import { expect, test } from 'vitest'
import { ourScript } from '#build/share/artwork.ts'
import { ourContent } from '#rigs/our-content.ts'
import { drawGuide } from '#rigs/drawn-guide.ts'
import { readPdf } from '#rigs/read-pdf.ts'
import { renderingBuild } from '#rigs/server/rendering-build.ts'
import { linkOf, testApp } from '#rigs/server/test-app.ts'
import { asShown } from '#site/kit/as-shown.ts'
import { pngSize } from '#site/files/raster.ts'
import { publish } from './publish.ts'

test('a guide, a picture of its first page, a share picture and icons are drawn as they are published', async () => {
  const { folder: dist, drawing: renderer } = renderingBuild()
  const app = await testApp({ parts: { dist, renderer } })
  const texts = { 'brand.name': 'Łódź Bot', 'palette.light.fast': '#a01070' }
  const outcome = await publish(app.context, { content: { texts }, files: {}, about: 'A test' })
  if (outcome.kind !== 'published') throw new Error(JSON.stringify(outcome))
  const sizeOf = async (path: string) => pngSize((await app.inject(path)).rawPayload)
  expect(await sizeOf('/og.png')).toEqual({ width: 1200, height: 630 })
  expect(await sizeOf('/icon-192.png')).toEqual({ width: 192, height: 192 })
  expect(await sizeOf('/apple-touch-icon.png')).toEqual({ width: 180, height: 180 })
  expect(await sizeOf('/guide-page.png')).toMatchObject({ width: 900 })
  await app.signUp('ada@example.com')
  const guide = await app.inject(`${await linkOf(app, 'ada@example.com')}/setup-guide.pdf`)
  expect((await readPdf(guide.rawPayload)).title).toContain('Łódź Bot')
})

test('a guide of the owner’s own is shown by its first page', async () => {
  const { folder: dist, drawing: renderer } = renderingBuild()
  const app = await testApp({ parts: { dist, renderer } })
  const bytes = await drawGuide(ourContent, asShown(ourScript()))
  const guide = { name: 'My guide.pdf', mediaType: 'application/pdf', bytes }
  await publish(app.context, { content: { texts: {} }, files: { guide }, about: 'A test' })
  const { body } = await app.inject('/')
  const [, picture = ''] = /src="(\/guide-page\.png\?[\w-]+)"/.exec(body) ?? []
  expect((await app.inject(picture)).headers['content-type']).toBe('image/png')
  expect(body).toContain('My-guide.pdf')
})
