import type { SiteContent } from '#site/site-content.ts'
import type { KitRelease } from '#content/releases.ts'
import type { Pages } from '../http/pages.ts'
import type { PreparedFile } from '../http/prepared-file.ts'
import type { SecurityHeaders } from '../http/security-headers.ts'
import type { Wordings } from '../subscribers/wordings.ts'
import type { KitFile } from '#site/kit/kit-files.ts'
import type { RenderedMails } from '#site/bundle.ts'
import type { LoadedSite } from './load-site.ts'

/** All that visitors and subscribers get, as one value that is replaced whole. */
export interface ServedSite extends LoadedSite {
  /** The content that pages and mails were made from. */
  readonly content: SiteContent
  readonly wordings: Wordings
  readonly pages: Pages
  /** The files at the site's root, by path. */
  readonly rootFiles: ReadonlyMap<string, PreparedFile>
  readonly kit: readonly KitFile[]
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
  /**
   * Replaces it by the site that `make` returns, or keeps it. One change at a time, so that none is
   * made from a site that another one has replaced meanwhile.
   */
  change(make: (current: ServedSite) => Promise<ServedSite | undefined>): Promise<void>
}

export function holdSite(first: ServedSite): SiteHolder {
  let current = first
  let lastChange: Promise<void> = Promise.resolve()
  return {
    get current() {
      return current
    },
    change(make) {
      const changed = lastChange.then(async () => {
        current = (await make(current)) ?? current
      })
      lastChange = changed.catch(() => {}) // the caller is told
      return changed
    },
  }
}
