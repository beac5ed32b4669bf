import { createHash } from 'node:crypto'
import type { Content } from '#content/content.ts'
import type { OwnPictures, PagePicture } from '#site/pages/frame/own-pictures.ts'
import { markOf } from './drawing/draw-site.ts'
import { favicon } from './drawing/mark.ts'
import { pngSize } from './files/raster.ts'
import { readSvg } from './files/svg.ts'
import type { DrawnFiles, OwnFile, OwnFiles } from './source.ts'

/** The files at the site's root that are not as the build has them, by name. */
export type RootFiles = Readonly<Record<string, Uint8Array>>

export function rootPictures(content: Content, files: OwnFiles, drawn: DrawnFiles): RootFiles {
  const { chart } = files
  const root: Record<string, Uint8Array | undefined> = {
    'favicon.svg': new TextEncoder().encode(markWith(content, files, drawn)),
    'og.png': files.sharePicture?.bytes ?? drawn.sharePicture,
    'icon-192.png': drawn.icon192,
    'apple-touch-icon.png': drawn.appleTouchIcon,
    'guide-page.png': drawn.guidePage,
    [chartName(chart)]: chart?.bytes,
  }
  const there = Object.entries(root).filter(([, bytes]) => bytes !== undefined)
  return Object.fromEntries(there) as RootFiles // none is undefined
}

/** The pictures that pages show. Their addresses change with their bytes: a browser keeps them. */
export function pagePictures(files: OwnFiles, drawn: DrawnFiles): OwnPictures {
  const { chart, icon } = files
  return {
    ...(icon && { logo: { url: addressOf('favicon.svg', icon.bytes), width: 24, height: 24 } }),
    ...(drawn.guidePage && { guidePage: pictureOf('guide-page.png', drawn.guidePage) }),
    ...(chart && { chart: pictureOf(chartName(chart), chart.bytes) }),
  }
}

/** The favicon embeds the 192 px icon instead of the owner's larger PNG. */
function markWith(content: Content, { icon }: OwnFiles, { icon192 }: DrawnFiles): string {
  if (icon?.mediaType !== 'image/png' || !icon192) {
    return icon ? markOf(content, icon) : favicon(content.palette)
  }
  return markOf(content, { ...icon, bytes: icon192 })
}

function chartName(chart: OwnFile | undefined): string {
  return chart?.mediaType === 'image/svg+xml' ? 'own-chart.svg' : 'own-chart.png'
}

function pictureOf(name: string, bytes: Uint8Array): PagePicture {
  return { url: addressOf(name, bytes), ...sizeOf(name, bytes) }
}

function addressOf(name: string, bytes: Uint8Array): string {
  return `/${name}?${createHash('sha256').update(bytes).digest('base64url').slice(0, 8)}`
}

function sizeOf(name: string, bytes: Uint8Array): { width: number; height: number } {
  if (name.endsWith('.png')) return pngSize(bytes)
  const svg = readSvg(new TextDecoder().decode(bytes))
  const size = svg?.kind === 'svg' ? svg.size : undefined
  // A drawing without a box has the shape of our chart.
  return size ?? { width: 1392, height: 364 }
}
