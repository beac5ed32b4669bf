import type { SiteBundle } from '#site/bundle.ts'
import { type Database, type Reader, Unavailable } from '../database/database.ts'
import type { Log } from '../log.ts'
import type { Renderer } from './renderer-client.ts'
import { readBundle } from './bundles.ts'
import { noteFailure, replaceBundle } from './store-version.ts'
import { publishedId, type PublishedVersion, readPublished, readSource } from './versions.ts'

const tryAgainMs = 60_000

/** A site that can be served. */
export interface LoadedSite {
  /** The number of the published version. Undefined: these are the defaults. */
  readonly version?: number
  readonly bundle: SiteBundle
}

export interface PublishedSiteDeps {
  readonly database: Database
  readonly renderer: Pick<Renderer, 'make'>
  /** The site of the defaults, as this build made it. */
  readonly built: SiteBundle
  readonly log: Log
  /** ms since 1970. */
  now(): number
}

/** Loads what is published. While anything is, the defaults are never served. */
export class PublishedSite {
  readonly #deps: PublishedSiteDeps
  /** The version that this build could not make, and when it tries again. */
  #failed: { version: number; tryAgainAt: number } | undefined

  constructor(deps: PublishedSiteDeps) {
    this.#deps = deps
  }

  /** The newest version, or the defaults if nothing is published. Rejects if it cannot be had. */
  async load(): Promise<LoadedSite> {
    const published = await readPublished(this.#deps.database)
    return published ? this.#loadVersion(published) : { bundle: this.#deps.built }
  }

  /** Returns undefined if nothing better than `served` can be had now. */
  async newerThan(served: LoadedSite): Promise<LoadedSite | undefined> {
    const { database, built, now } = this.#deps
    const newest = await publishedId(database)
    if (newest === undefined || newest < (served.version ?? 0)) return undefined
    if (newest === served.version && served.bundle.build === built.build) return undefined
    if (newest === this.#failed?.version && now() < this.#failed.tryAgainAt) return undefined
    return this.load()
  }

  /** As this build makes it. If it cannot, as an earlier build made it. */
  async #loadVersion(version: PublishedVersion): Promise<LoadedSite> {
    const { database, renderer, built, log, now } = this.#deps
    const { id } = version
    const stored = await this.#readStored(version)
    if (stored?.build === built.build) return { version: id, bundle: stored }
    try {
      const bundle = await renderer.make(await readSource(database, version))
      await this.#keep(version, bundle)
      return { version: id, bundle }
    } catch (cause) {
      if (cause instanceof Unavailable) throw cause // the next look tries again
      this.#failed = { version: id, tryAgainAt: now() + tryAgainMs }
      log.error(`version ${id} of the page stays as an earlier build made it`, { cause })
      const why = cause instanceof Error ? cause.message : ''
      await noteFailure(database, id, { build: built.build, why })
      if (!stored) throw cause
      return { version: id, bundle: stored }
    }
  }

  async #readStored(version: PublishedVersion): Promise<SiteBundle | undefined> {
    const { database, log } = this.#deps
    try {
      return await readBundle(database, version.bundle)
    } catch (cause) {
      if (cause instanceof Unavailable) throw cause
      log.error(`the bytes of version ${version.id} of the page are lost`, { cause })
      return undefined
    }
  }

  /** Other instances and the next start then load it. */
  async #keep(version: PublishedVersion, bundle: SiteBundle): Promise<void> {
    const { database, log, now } = this.#deps
    try {
      await replaceBundle(database, version, bundle, now())
    } catch (cause) {
      log.error(`version ${version.id} of the page could not be stored`, { cause })
    }
  }
}

/** The published version, while it is served as an earlier build made it. */
export interface FailedVersion {
  readonly version: number
  readonly why: string
}

export async function readFailedVersion(reader: Reader): Promise<FailedVersion | undefined> {
  const published = await readPublished(reader)
  return published?.failure && { version: published.id, why: published.failure.why }
}
