import { createHash } from 'node:crypto'
import type { PagePicture, PagePictures } from '#site/pages/frame/page-pictures.ts'
import type { DrawnFiles } from './drawing/draw-site.ts'
import { pngSize } from './files/raster.ts'
import { readSvg } from './files/svg.ts'
import type { OwnFile, OwnFiles } from './source.ts'

/** The pictures that pages show. Their addresses change with their bytes: a browser keeps them. */
export function pagePictures({ chart, icon }: OwnFiles, { guidePage }: DrawnFiles): PagePictures {
  return {
    guidePage: pictureOf('guide-page.png', guidePage),
    ...(icon && { logo: { url: addressOf('favicon.svg', icon.bytes), width: 24, height: 24 } }),
    ...(chart && { chart: pictureOf(chartName(chart), chart.bytes) }),
  }
}

/** The owner's chart as a file at the site's root, by its name. */
export function ownChart({ chart }: OwnFiles): Record<string, Uint8Array> {
  return chart ? { [chartName(chart)]: chart.bytes } : {}
}

function chartName({ mediaType }: OwnFile): string {
  return mediaType === 'image/svg+xml' ? 'own-chart.svg' : 'own-chart.png'
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
