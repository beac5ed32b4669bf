import type { Difference } from '#site/words/difference.ts'

/** A file that the owner gives away or shows instead of ours. */
export type FileKind = 'script' | 'guide' | 'sharePicture' | 'chart' | 'icon'
export const fileKinds: readonly FileKind[] = ['script', 'guide', 'sharePicture', 'chart', 'icon']

/** A file that is drawn once, when it is published. */
export type DrawnKind = 'guide' | 'guidePage' | 'sharePicture' | 'icon192' | 'appleTouchIcon'

export interface OwnFile {
  /** As it is called on the owner's device. The script and the guide are saved by that name. */
  readonly name: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

export type OwnFiles = Readonly<Partial<Record<FileKind, OwnFile>>>
export type DrawnFiles = Readonly<Partial<Record<DrawnKind, Uint8Array>>>

/** The source of a page of the owner's own. Parts that are left out are ours. */
export interface SiteSource {
  readonly difference: Difference
  readonly files: OwnFiles
}

/**
 * Hashes of what the drawings show: words, colours, the script's inputs, the owner's files. Equal
 * hashes make equal files.
 */
export interface DrawnFrom {
  readonly guide: string
  readonly sharePicture: string
  readonly icon: string
}

/** The files that were drawn for a page, with hashes of what they show. */
export interface Drawings {
  readonly drawn: DrawnFiles
  /** An earlier release did not note it: then it is undefined. */
  readonly drawnFrom?: DrawnFrom | undefined
}

/** A page of the owner's own with what was drawn from it. */
export interface DrawnSite extends Drawings {
  readonly source: SiteSource
}
