import type { Content } from '#content/content.ts'

/** One thing to say about a field. */
export interface Finding {
  readonly path: string
  /** A sentence or two for the owner. */
  readonly message: string
  /** A fault stops publishing. A look is said, and stops nothing. */
  readonly kind: 'fault' | 'look'
  /** It speaks of our script or guide, and the owner gives away another. */
  readonly about?: 'our script' | 'our guide'
}

export interface CheckContext {
  readonly defaults: Content
  /** The files that the owner gives away or shows instead of ours. */
  readonly own: GivenFiles
}

export interface GivenFiles {
  readonly script: boolean
  readonly guide: boolean
  readonly sharePicture: boolean
}
