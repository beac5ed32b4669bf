import { initWasm, Resvg } from '@resvg/resvg-wasm'
import type { DrawingFiles } from './drawing-files.ts'

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
  const rendered = picture.render()
  const png = rendered.asPng()
  rendered.free()
  picture.free()
  return png
}
