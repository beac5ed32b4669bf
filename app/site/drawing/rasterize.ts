import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { ContentError } from '../kit/content-error.ts'
import { type DrawingFiles, maxPixels } from './drawing-files.ts'

let loading: Promise<void> | undefined

/** Draws an SVG as PNG, `width` pixels wide. */
export async function rasterize(
  svg: string | Uint8Array,
  width: number,
  { fonts, readWasm }: DrawingFiles,
): Promise<Uint8Array> {
  await (loading ??= initWasm(readWasm('resvg')))
  const picture = new Resvg(svg, {
    fitTo: { mode: 'width', value: width },
    font: { fontBuffers: [...fonts] },
  })
  // A box of one by a million would be drawn as high as it says.
  if ((width * width * picture.height) / picture.width > maxPixels) {
    const size = `${Math.round(picture.width)} × ${Math.round(picture.height)}`
    throw new ContentError(`The drawing is ${size}; that is too long.`)
  }
  const rendered = picture.render()
  const png = rendered.asPng()
  rendered.free()
  picture.free()
  return png
}
