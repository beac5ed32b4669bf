import type { Reader } from '#server/database/database.ts'
import type { StoredSite } from '#owner/acts/owned-database.ts'

/** The facts from which the state of the product is judged. */
export interface Situation extends StoredSite {
  reader: Reader
  /** Key of keyed hashes. */
  secret: string
  /** ms since 1970. */
  now: number
}
