import { setFlagsFromString } from 'node:v8'
import { type Content, defaultContent } from '#content/content.ts'
import type { SiteContent } from '#site/site-content.ts'
import { printedGuide } from '#site/guide/printed-guide.ts'
import { asShown } from '#site/kit/as-shown.ts'
import type { OwnFile, OwnFiles } from '../source.ts'
import type { DrawingFiles } from './drawing-files.ts'
import { favicon, icon } from './mark.ts'
import { drawFile } from './draw-file.ts'
import { firstPage, ourGuidePage, pictureOfPage } from './pdf-page.ts'
import { rasterize } from './rasterize.ts'
import { remembering } from './remembering.ts'
import { shareImage } from './share-image.ts'
import { createTypesetter } from './typeset.ts'

const shareImageWidth = 1200

/** The files of a site that are drawn from words, colours and the owner's files. */
export interface DrawnFiles {
  readonly guide: Uint8Array
  /** A picture of one of its pages. */
  readonly guidePage: Uint8Array
  readonly sharePicture: Uint8Array
  readonly favicon: Uint8Array
  readonly icon192: Uint8Array
  readonly appleTouchIcon: Uint8Array
}

/** The programs that draw. They are loaded with the first drawing, and kept. */
export interface Drawing {
  /**
   * Throws a ContentError if words do not fit. What shows the same as before is not drawn again:
   * that takes most of the time of a preview. `script`: the one that is given away.
   */
  draw(content: SiteContent, files: OwnFiles, script: Uint8Array): Promise<DrawnFiles>
  /**
   * Draws once what shows the owner's files. Throws a ContentError for one that cannot be drawn, so
   * that it is refused when it is chosen, and not when the page is published.
   */
  tryFiles(files: OwnFiles): Promise<void>
  /** The guide of `draw`. */
  guide(content: SiteContent, files: OwnFiles, script: Uint8Array): Promise<Uint8Array>
  /** A page of a guide as PNG. `number`: from 0; the last of fewer. */
  page(guide: Uint8Array, number: number): Promise<Uint8Array>
}

/**
 * From then on this process has one compiler for WebAssembly instead of two: less memory, and half
 * the time for a first guide.
 */
export function openDrawing(files: DrawingFiles): Drawing {
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
  const typesetter = createTypesetter(files)
  const typeset = remembering(2, (words: string, mark: string) => typesetter.typeset(words, mark))
  const page = remembering(4, (guide: Uint8Array, number: number) =>
    pictureOfPage(guide, { ...firstPage, number }, files),
  )
  const picture = remembering(8, (svg: string, width: number) => rasterize(svg, width, files))
  const guide: Drawing['guide'] = async (content, own, script) =>
    own.guide?.bytes ?? typeset(printedGuide(content, asShown(script)), markOf(content, own.icon))
  const icons = (svg: string) => drawFile('icon', () => drawIcons(svg, picture))
  return {
    guide,
    page,
    async tryFiles({ guide: ownGuide, icon: ownIcon, chart }) {
      if (ownGuide) await page(ownGuide.bytes, firstPage.number)
      if (ownIcon) await icons(markOf(defaultContent, ownIcon))
      if (chart?.mediaType === 'image/svg+xml') {
        await drawFile('chart', () => rasterize(chart.bytes, 60, files))
      }
    },
    async draw(content, own, script) {
      const drawnGuide = await guide(content, own, script)
      const { icon192, appleTouchIcon } = await icons(
        own.icon ? markOf(content, own.icon) : icon(content.palette.light),
      )
      return {
        guide: drawnGuide,
        guidePage: await page(drawnGuide, (own.guide ? firstPage : ourGuidePage).number),
        sharePicture:
          own.sharePicture?.bytes ?? (await picture(shareImage(content), shareImageWidth)),
        favicon: new TextEncoder().encode(faviconOf(content, own.icon, icon192)),
        icon192,
        appleTouchIcon,
      }
    },
  }
}

async function drawIcons(
  svg: string,
  picture: (svg: string, width: number) => Promise<Uint8Array>,
) {
  return { icon192: await picture(svg, 192), appleTouchIcon: await picture(svg, 180) }
}

/** The icon as SVG: ours in the colours of the page, or the owner's. */
function markOf({ palette }: Content, own: OwnFile | undefined): string {
  if (!own) return favicon(palette)
  if (own.mediaType === 'image/svg+xml') return new TextDecoder().decode(own.bytes)
  const data = Buffer.from(own.bytes).toString('base64')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 192 192"><image width="192" height="192" href="data:image/png;base64,${data}"/></svg>`
}

/** The favicon embeds the 192 px icon instead of the owner's larger PNG. */
function faviconOf(content: Content, own: OwnFile | undefined, icon192: Uint8Array): string {
  const isSmaller = own?.mediaType === 'image/png'
  return markOf(content, isSmaller ? { ...own, bytes: icon192 } : own)
}
