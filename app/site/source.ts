import type { Difference } from '#site/words/difference.ts'

/** A file that the owner gives away or shows instead of ours. */
export type FileKind = 'script' | 'guide' | 'sharePicture' | ChartKind | 'portrait' | 'icon'

/** A chart, and the ones that take its place in the dark and on a phone. */
export type ChartKind = 'chart' | 'chartDark' | 'chartPhone'

export const chartKinds: readonly ChartKind[] = ['chart', 'chartDark', 'chartPhone']
export const fileKinds: readonly FileKind[] = [
  'script',
  'guide',
  'sharePicture',
  ...chartKinds,
  'portrait',
  'icon',
]

export interface OwnFile {
  /** As it is called on the owner's device. */
  readonly name: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

export type OwnFiles = Readonly<Partial<Record<FileKind, OwnFile>>>

/** All that a bundle is made from, beside what the build has. Parts that are left out are ours. */
export interface SiteSource {
  readonly difference: Difference
  readonly files: OwnFiles
}

/** The source of the site that the build makes. */
export const defaultSource: SiteSource = { difference: { texts: {} }, files: {} }
