import type { Content } from '#content/content.ts'
import type { KitRelease } from '#content/releases.ts'
import type { Pages } from '../http/pages.ts'
import type { PreparedFile } from '../http/prepared-file.ts'
import type { SecurityHeaders } from '../http/security-headers.ts'
import type { Wordings } from '../subscribers/wordings.ts'
import type { RenderedMails } from '#renderer/rendered-site.ts'
import type { ServedKitFile, SiteFiles } from './site-files.ts'

/** All that visitors and subscribers get, as one value that is replaced whole. */
export interface ServedSite {
  /** The files that it was filled from. */
  readonly files: SiteFiles
  /** The content that pages and mails were made from. */
  readonly content: Content
  readonly wordings: Wordings
  readonly pages: Pages
  /** The files at the site's root, by path. */
  readonly rootFiles: ReadonlyMap<string, PreparedFile>
  readonly kit: readonly ServedKitFile[]
  /** The versions of the kit, the newest first. */
  readonly releases: readonly KitRelease[]
  readonly security: SecurityHeaders
  readonly mails: RenderedMails
  /** Hash of the starter mail's template, as the database keeps it. */
  readonly starterTemplate: string
}

/**
 * Holds the site that is served now. Read `current` at each use: whatever keeps a part of it
 * serves an old one after a change.
 */
export interface SiteHolder {
  readonly current: ServedSite
  replace(site: ServedSite): void
}

export function holdSite(first: ServedSite): SiteHolder {
  let current = first
  return {
    get current() {
      return current
    },
    replace(site) {
      current = site
    },
  }
}
