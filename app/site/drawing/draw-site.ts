import { hash } from 'node:crypto'
import { type Content, defaultContent } from '#content/content.ts'
import { asShown } from '#site/kit/as-shown.ts'
import { printedGuide } from '#site/guide/printed-guide.ts'
import { ownContent } from '../own-content.ts'
import type {
  Drawings,
  DrawnFiles,
  DrawnFrom,
  DrawnKind,
  OwnFile,
  OwnFiles,
  SiteSource,
} from '../source.ts'
import type { DrawingFiles } from './drawing-files.ts'
import { drawFile } from './draw-file.ts'
import { favicon, icon } from './mark.ts'
import { firstPage, ourGuidePage, pictureOfPage } from './pdf-page.ts'
import { rasterize } from './rasterize.ts'
import { shareImage } from './share-image.ts'
import type { Typesetter } from './typeset.ts'

const shareImageWidth = 1200

/** The fonts and programs that draw, and the script that our guide shows. */
export interface DrawingDeps {
  readonly files: DrawingFiles
  readonly typesetter: Typesetter
  /** The bytes of our own script. */
  readonly ourScript: Uint8Array
}

/**
 * Draws what is not as the defaults were drawn. What shows the same as `before` is taken from there.
 */
export async function drawSite(
  source: SiteSource,
  before: Drawings | undefined,
  drawing: DrawingDeps,
): Promise<Drawings> {
  const content = ownContent(source)
  const { files } = source
  const drawnFrom = originalsOf(source, drawing)
  const kept = before ? keptFrom(before, drawnFrom) : {}
  const guide = files.guide ? undefined : (kept.guide ?? (await drawGuide(content, files, drawing)))
  const guidePage = kept.guidePage ?? (await drawGuidePage(files.guide?.bytes, guide, drawing))
  const sharePicture = files.sharePicture
    ? undefined
    : (kept.sharePicture ?? (await drawShareImage(content, drawing)))
  const icons = kept.icon192 && kept.appleTouchIcon ? kept : undefined
  const { icon192, appleTouchIcon } = icons ?? (await drawIcons(content, files.icon, drawing))
  const drawn = {
    ...(guide && { guide }),
    ...(guidePage && { guidePage }),
    ...(sharePicture && { sharePicture }),
    ...(icon192 && { icon192 }),
    ...(appleTouchIcon && { appleTouchIcon }),
  }
  return { drawn, drawnFrom }
}

type KeptFiles = { readonly [Kind in DrawnKind]?: Uint8Array | undefined }

/** Returns the files that were drawn before and show the same. */
function keptFrom({ drawn, drawnFrom: was }: Drawings, is: DrawnFrom): KeptFiles {
  const { guide, guidePage, sharePicture, icon192, appleTouchIcon } = drawn
  return {
    ...(was?.guide === is.guide && { guide, guidePage }),
    ...(was?.sharePicture === is.sharePicture && { sharePicture }),
    ...(was?.icon === is.icon && { icon192, appleTouchIcon }),
  }
}

function originalsOf(source: SiteSource, { ourScript, files }: DrawingDeps): DrawnFrom {
  const content = ownContent(source)
  const { guide, icon: ownIcon, script } = source.files
  const mark = markOf(content, ownIcon)
  const words = printedGuide(content, asShown(script?.bytes ?? ourScript))
  return {
    guide: hash('sha256', guide?.bytes ?? files.template + words + mark),
    sharePicture: hash('sha256', shareImage(content)),
    icon: hash('sha256', icon(content.palette.light) + mark),
  }
}

/** Compiles the tools by their first use. */
export async function warmUp({ typesetter, files, ourScript }: DrawingDeps): Promise<void> {
  const words = printedGuide(defaultContent, asShown(ourScript))
  const guide = await typesetter.typeset(words, favicon(defaultContent.palette))
  await pictureOfPage(guide, ourGuidePage, files)
  await rasterize(favicon(defaultContent.palette), 192, files)
}

/** The guide of a site, ours or not. Undefined: it is as the build has it. */
export async function drawGuide(
  content: Content,
  { script, icon: ownIcon }: OwnFiles,
  { typesetter, ourScript }: DrawingDeps,
): Promise<Uint8Array | undefined> {
  const words = printedGuide(content, asShown(script?.bytes ?? ourScript))
  const mark = markOf(content, ownIcon)
  const isOurs =
    words === printedGuide(defaultContent, asShown(ourScript)) &&
    mark === favicon(defaultContent.palette)
  return isOurs ? undefined : typesetter.typeset(words, mark)
}

/** Returns undefined if it is as the build has it. */
export async function drawShareImage(
  content: Content,
  { files }: DrawingDeps,
): Promise<Uint8Array | undefined> {
  const picture = shareImage(content)
  if (picture === shareImage(defaultContent)) return undefined
  return rasterize(picture, shareImageWidth, files)
}

/**
 * Draws once what shows the owner's files. Throws a ContentError for one that cannot be drawn, so
 * that it is refused when it is chosen, and not when the page is published.
 */
export async function tryFiles(
  { guide, icon: ownIcon, chart }: OwnFiles,
  drawing: DrawingDeps,
): Promise<void> {
  if (guide) await pictureOfPage(guide.bytes, firstPage, drawing.files)
  if (ownIcon) await drawIcons(defaultContent, ownIcon, drawing)
  if (chart?.mediaType === 'image/svg+xml') {
    await drawFile('chart', () => rasterize(chart.bytes, 60, drawing.files))
  }
}

/** The icon as SVG: ours in the colours of the page, or the owner's. */
export function markOf({ palette }: Content, own: OwnFile | undefined): string {
  if (!own) return favicon(palette)
  if (own.mediaType === 'image/svg+xml') return new TextDecoder().decode(own.bytes)
  const data = Buffer.from(own.bytes).toString('base64')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 192 192"><image width="192" height="192" href="data:image/png;base64,${data}"/></svg>`
}

async function drawGuidePage(
  own: Uint8Array | undefined,
  drawn: Uint8Array | undefined,
  { files }: DrawingDeps,
): Promise<Uint8Array | undefined> {
  if (own) return pictureOfPage(own, firstPage, files)
  return drawn && pictureOfPage(drawn, ourGuidePage, files)
}

async function drawIcons(
  content: Content,
  own: OwnFile | undefined,
  { files }: DrawingDeps,
): Promise<Pick<DrawnFiles, 'icon192' | 'appleTouchIcon'>> {
  const ours = icon(content.palette.light)
  if (!own && ours === icon(defaultContent.palette.light)) return {}
  const picture = own ? markOf(content, own) : ours
  return drawFile('icon', async () => ({
    icon192: await rasterize(picture, 192, files),
    appleTouchIcon: await rasterize(picture, 180, files),
  }))
}
