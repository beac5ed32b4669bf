import { PDFiumLibrary } from '@hyzyla/pdfium'
import { ContentError } from '#site/kit/content-error.ts'
import type { DrawingFiles } from './drawing-files.ts'
import { encodePng } from './png.ts'

/** The third step of our guide, which shows the chart. */
export const ourGuidePage = { number: 3, width: 900 }
/** The cover of the owner's. */
export const firstPage = { number: 0, width: 900 }

/** A page of a PDF as PNG, `width` pixels wide. `number`: from 0; the last of fewer. */
export async function pictureOfPage(
  pdf: Uint8Array,
  { number, width }: { number: number; width: number },
  { readWasm }: DrawingFiles,
): Promise<Uint8Array> {
  const library = await PDFiumLibrary.init({
    wasmBinary: Uint8Array.from(readWasm('pdfium')).buffer,
  })
  try {
    const document = await library.loadDocument(pdf).catch(() => undefined)
    if (!document || document.getPageCount() === 0) {
      throw new ContentError(
        'The guide is not a PDF that can be opened. Does it ask for a password?',
      )
    }
    const page = document.getPage(Math.min(number, document.getPageCount() - 1))
    const { originalWidth, originalHeight } = page.getOriginalSize()
    const height = Math.round((width * originalHeight) / originalWidth)
    const picture = await page.render({ width, height, render: 'bitmap' })
    return encodePng(picture.data, { width: picture.width, height: picture.height })
  } finally {
    library.destroy()
  }
}
