import { expect, test } from 'vitest'
import { renderingBuild } from '#rigs/server/rendering-build.ts'
import { testApp } from '#rigs/server/test-app.ts'
import { publish } from './published.ts'
import { readDrawnSite } from './versions.ts'

test('a guide, a picture of its first page, a share picture and icons are drawn as they are published', async () => {
  const { folder: dist, drawing: renderer } = renderingBuild()
  const app = await testApp({ parts: { dist, renderer } })
  const texts = { 'brand.name': 'Łódź Bot', 'palette.light.fast': '#a01070' }
  const outcome = await publish(app.context, { content: { texts }, files: {}, about: 'A test' })
  if (outcome.kind !== 'published') throw new Error(JSON.stringify(outcome))
  const { drawn } = await readDrawnSite(app.database, outcome.version)
  expect(
    Buffer.from(drawn.guide ?? [])
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  expect(pngSizeOf(drawn.sharePicture)).toEqual([1200, 630])
  expect(pngSizeOf(drawn.icon192)).toEqual([192, 192])
  expect(pngSizeOf(drawn.guidePage)[0]).toBe(900)
  const served = await app.inject('/og.png')
  expect(served.rawPayload.equals(Buffer.from(drawn.sharePicture ?? []))).toBe(true)
})

function pngSizeOf(png: Uint8Array = new Uint8Array()): number[] {
  const bytes = Buffer.from(png)
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}
