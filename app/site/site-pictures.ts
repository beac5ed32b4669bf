import type { PagePicture, PagePictures } from '#site/pages/frame/page-pictures.ts'
import type { DrawnFiles } from './drawing/draw-site.ts'
import { addressOf } from './files/address-of.ts'
import { pngSize } from './files/raster.ts'
import { readSvg } from './files/svg.ts'
import { type ChartKind, chartKinds, type OwnFiles } from './source.ts'

/** The pictures that pages show. */
export function pagePictures(files: OwnFiles, { guidePage }: DrawnFiles): PagePictures {
  const { icon, portrait } = files
  const charts = chartsOf(files).map(({ kind, name, bytes }) => [kind, pictureOf(name, bytes)])
  return {
    guidePage: pictureOf('guide-page.png', guidePage),
    ...(icon && { logo: { url: addressOf('favicon.svg', icon.bytes), width: 24, height: 24 } }),
    ...(portrait && { portrait: pictureOf(portraitName, portrait.bytes) }),
    ...Object.fromEntries(charts),
  }
}

/** The owner's charts and portrait as files at the site's root, by their names. */
export function ownPictures(files: OwnFiles): Record<string, Uint8Array> {
  const { portrait } = files
  return {
    ...Object.fromEntries(chartsOf(files).map(({ name, bytes }) => [name, bytes])),
    ...(portrait && { [portraitName]: portrait.bytes }),
  }
}

const portraitName = 'portrait.png'

const chartNames: Readonly<Record<ChartKind, string>> = {
  chart: 'own-chart',
  chartDark: 'own-chart-dark',
  chartPhone: 'own-chart-phone',
}

/** The others are shown in the place of the first, so without it there are none. */
function chartsOf(files: OwnFiles): { kind: ChartKind; name: string; bytes: Uint8Array }[] {
  const given = files.chart ? chartKinds : []
  return given.flatMap((kind) => {
    const file = files[kind]
    if (!file) return []
    const ending = file.mediaType === 'image/svg+xml' ? 'svg' : 'png'
    return [{ kind, name: `${chartNames[kind]}.${ending}`, bytes: file.bytes }]
  })
}

function pictureOf(name: string, bytes: Uint8Array): PagePicture {
  return { url: addressOf(name, bytes), ...sizeOf(name, bytes) }
}

function sizeOf(name: string, bytes: Uint8Array): { width: number; height: number } {
  if (name.endsWith('.png')) return pngSize(bytes)
  const svg = readSvg(new TextDecoder().decode(bytes))
  const size = svg?.kind === 'svg' ? svg.size : undefined
  // A drawing without a box has the shape of our chart.
  return size ?? { width: 1392, height: 364 }
}
