import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pngSize } from '../files/raster.ts'
import { pdfOf, svgOf } from '#rigs/server/hostile-files.ts'
import { renderingBuild } from '#rigs/server/rendering-build.ts'
import { firstPage, pictureOfPage } from './pdf-page.ts'
import { rasterize } from './rasterize.ts'
import { readDrawingFiles } from './drawing-files.ts'

const { folder, drawing: renderer } = renderingBuild()
const drawing = readDrawingFiles(join(folder, 'renderer'))

test.each([
  ['0 0 600 800', 900, 1200],
  ['0 0 800 600', 900, 675],
  ['0 0 100 500', 894, 4470],
])('a page %s is drawn %d pixels wide and %d high', async (box, width, height) => {
  const picture = await pictureOfPage(pdfOf(box), firstPage, drawing)
  expect(pngSize(picture)).toEqual({ width, height })
})

test.each(['0 0 1 1000000', '0 0 1000000 1', '0 0 10 101'])(
  'a guide whose page is a thread is refused: %s',
  async (box) => {
    const page = pictureOfPage(pdfOf(box), firstPage, drawing)
    await expect(page).rejects.toThrow(/^Page 1 of the guide is \d+ × \d+; that is no page\.$/)
  },
)

test('a drawing whose box is a thread is refused', async () => {
  const drawn = rasterize(svgOf('', 'width="1" height="1000000"'), 192, drawing)
  await expect(drawn).rejects.toThrow('The drawing is 1 × 1000000; that is too long.')
})

test('a guide that cannot be opened is refused when it is chosen', async () => {
  const guide = { name: 'g.pdf', mediaType: '', bytes: Buffer.from('%PDF-1.7 and no more') }
  await expect(renderer.readFiles({ guide })).rejects.toMatchObject({
    name: 'ContentError',
    message: expect.stringMatching(/^The guide is not a PDF that can be opened/),
  })
})
