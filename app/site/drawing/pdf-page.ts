import { PDFiumLibrary } from '@hyzyla/pdfium'
import { ContentError } from '#site/kit/content-error.ts'
import { type DrawingFiles, maxPixels } from './drawing-files.ts'
import { drawFile } from './draw-file.ts'
import { encodePng } from './png.ts'

/** The third step of our guide, which shows the chart. */
export const ourGuidePage = { number: 3, width: 900 }
/** The cover of the owner's. */
export const firstPage = { number: 0, width: 900 }

/** A page of A4 is 1.4 times as high as wide, a poster for a phone three times. */
const maxRatio = 10

let loading: Promise<PDFiumLibrary> | undefined

/**
 * A page of a PDF as PNG, `width` pixels wide if it is not very high. `number`: from 0; the last of
 * fewer.
 */
export function pictureOfPage(
  pdf: Uint8Array,
  page: { number: number; width: number },
  drawing: DrawingFiles,
): Promise<Uint8Array> {
  return drawFile('guide', () => drawPage(pdf, page, drawing))
}

async function drawPage(
  pdf: Uint8Array,
  { number, width }: { number: number; width: number },
  { readWasm }: DrawingFiles,
): Promise<Uint8Array> {
  const library = await (loading ??= loadLibrary(readWasm('pdfium')))
  const document = await library.loadDocument(pdf).catch(() => undefined)
  if (!document || document.getPageCount() === 0) {
    throw new ContentError('The guide is not a PDF that can be opened. Does it ask for a password?')
  }
  try {
    const shown = Math.min(number, document.getPageCount() - 1)
    const page = document.getPage(shown)
    const { originalWidth, originalHeight } = page.getOriginalSize()
    const size = sizeOfPicture(originalHeight / originalWidth, width)
    if (!size) {
      throw new ContentError(
        `Page ${shown + 1} of the guide is ${Math.round(originalWidth)} × ${Math.round(originalHeight)}; that is no page.`,
      )
    }
    const picture = await page.render({ ...size, render: 'bitmap' })
    return encodePng(picture.data, { width: picture.width, height: picture.height })
  } finally {
    document.destroy()
  }
}

function loadLibrary(wasm: Uint8Array): Promise<PDFiumLibrary> {
  return PDFiumLibrary.init({ wasmBinary: Uint8Array.from(wasm).buffer })
}

/** `ratio`: of height to width. Returns undefined if the page is a thread, or has no size. */
function sizeOfPicture(ratio: number, wanted: number) {
  if (!(ratio <= maxRatio && ratio >= 1 / maxRatio)) return undefined
  const width = Math.round(Math.min(wanted, Math.sqrt(maxPixels / ratio)))
  return { width, height: Math.round(width * ratio) }
}
