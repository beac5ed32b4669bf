import type { SiteBundle } from '#site/bundle.ts'
import { type Database, Unavailable } from '../database/database.ts'
import type { Log } from '../log.ts'
import type { Renderer } from './renderer-client.ts'
import { readBundle } from './versions/bundles.ts'
import { noteFailure, replaceBundle } from './versions/store-version.ts'
import {
  type MakeFailure,
  publishedId,
  readServed,
  readSource,
  type ServedVersion,
} from './versions/versions.ts'

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

  /**
   * The newest version, or the defaults if nothing is published. Rejects with a LostPage if the
   * version can neither be read nor made again.
   */
  async load(): Promise<LoadedSite> {
    const version = await readServed(this.#deps.database)
    return version ? this.#loadVersion(version) : { bundle: this.#deps.built }
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
  async #loadVersion(version: ServedVersion): Promise<LoadedSite> {
    const { database, renderer, built, log, now } = this.#deps
    const { id, isFailed } = version
    const stored = await this.#readStored(version)
    if (stored?.build === built.build) {
      if (isFailed) await this.#note(id, undefined) // the build that could not make it is gone
      return { version: id, bundle: stored }
    }
    try {
      const bundle = await renderer.make(await readSource(database, id))
      await this.#keep(id, bundle)
      return { version: id, bundle }
    } catch (cause) {
      if (cause instanceof Unavailable) throw cause // the next look tries again
      this.#failed = { version: id, tryAgainAt: now() + tryAgainMs }
      log.error(`version ${id} of the page stays as an earlier build made it`, { cause })
      const why = cause instanceof Error ? cause.message : ''
      await this.#note(id, { build: built.build, why })
      if (!stored) throw new LostPage(id, why)
      return { version: id, bundle: stored }
    }
  }

  async #readStored({ id, bundle }: ServedVersion): Promise<SiteBundle | undefined> {
    const { database, log } = this.#deps
    try {
      if (!bundle) throw new Error('Its record cannot be read')
      return await readBundle(database, bundle)
    } catch (cause) {
      if (cause instanceof Unavailable) throw cause
      log.error(`the bytes of version ${id} of the page are lost`, { cause })
      return undefined
    }
  }

  /** Other instances and the next start then load it. */
  async #keep(id: number, bundle: SiteBundle): Promise<void> {
    const { database, log, now } = this.#deps
    try {
      await replaceBundle(database, id, bundle, now())
    } catch (cause) {
      log.error(`version ${id} of the page could not be stored`, { cause })
    }
  }

  /** The owner is told of a failure by what is noted. */
  async #note(id: number, failure: MakeFailure | undefined): Promise<void> {
    const { database, log } = this.#deps
    try {
      await noteFailure(database, id, failure)
    } catch (cause) {
      log.error(`the state of version ${id} of the page could not be stored`, { cause })
    }
  }
}

/** The message is a sentence for the owner. */
export class LostPage extends Error {
  constructor(version: number, why: string) {
    super(
      `Version ${version} of your page cannot be read from the database, and could not be made again (${why}). Restore a backup`,
    )
  }
}
