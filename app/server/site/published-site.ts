import { isDeepStrictEqual } from 'node:util'
import { guideFile, scriptFile } from '#site/kit/kit-files.ts'
import type { OwnSite } from '#site/rendered-site.ts'
import type { DrawnSite } from '#site/source.ts'
import { type Database, type Reader, Unavailable } from '../database/database.ts'
import { deleteSetting, readSetting, writeSetting } from '../database/settings.ts'
import type { Log } from '../log.ts'
import type { Renderer } from './renderer-client.ts'
import type { SiteFiles } from './site-files.ts'
import {
  listVersions,
  newestVersion,
  type PublishedVersion,
  readDrawnSite,
  replaceDrawings,
} from './versions.ts'

/** The setting that tells desk, doctor and alarm of a version that cannot be served. */
const failedSetting = 'page that cannot be served'

/** The newest version, if an instance could not serve it, and why. */
export interface FailedVersion {
  readonly version: number
  readonly why: string
}

export async function readFailedVersion(reader: Reader): Promise<FailedVersion | undefined> {
  const noted = await readSetting(reader, failedSetting)
  return noted === undefined ? undefined : JSON.parse(noted)
}

function noteFailure(database: Database, failed: FailedVersion | undefined): Promise<void> {
  return database.transaction((transaction) =>
    failed
      ? writeSetting(transaction, failedSetting, JSON.stringify(failed))
      : deleteSetting(transaction, failedSetting),
  )
}

export interface PublishedSiteDeps {
  readonly database: Database
  readonly renderer: Renderer
  /** The pages that the build made of the defaults. */
  readonly built: SiteFiles
  readonly log: Log
  /** ms since 1970. */
  now(): number
}

/** A version, with what was drawn and rendered of it. */
export interface RenderedVersion {
  readonly id: number
  readonly drawnSite: DrawnSite
  readonly rendered: OwnSite
}

/** Makes what is served from what is published. */
export interface PublishedSite {
  /** The page that a start serves: the newest version that can be rendered, else the defaults. */
  filesAtStart(): Promise<SiteFiles>
  /** The newest version that can be rendered, if it is newer than the site that is served. */
  newerFiles(served: SiteFiles): Promise<SiteFiles | undefined>
  /** A version that was rendered, unless the site that is served is newer. */
  filesOf(version: RenderedVersion, served: SiteFiles): Promise<SiteFiles | undefined>
}

export function createPublishedSite(deps: PublishedSiteDeps): PublishedSite {
  return new StoredSite(deps)
}

class StoredSite implements PublishedSite {
  readonly #deps: PublishedSiteDeps
  /** The newest version, if this instance could not serve it, and why. */
  #failed: FailedVersion | undefined

  constructor(deps: PublishedSiteDeps) {
    this.#deps = deps
  }

  async filesAtStart(): Promise<SiteFiles> {
    const { database, built } = this.#deps
    const versions = await listVersions(database)
    if (versions.length === 0) return built
    return (await this.#serveNewestOf(versions)) ?? built
  }

  async newerFiles(served: SiteFiles): Promise<SiteFiles | undefined> {
    const { database } = this.#deps
    const newest = await newestVersion(database)
    const known = Math.max(served.version ?? 0, this.#failed?.version ?? 0)
    if (newest === undefined || newest <= known) return undefined
    const versions = await listVersions(database)
    return this.#serveNewestOf(versions.filter(({ id }) => id > known))
  }

  async filesOf(version: RenderedVersion, served: SiteFiles): Promise<SiteFiles | undefined> {
    if (version.id < (served.version ?? 0)) return undefined
    await this.#note(undefined)
    return siteFiles(this.#deps.built, version)
  }

  /** Returns the first that can be served. One that cannot is noted, and not tried again. */
  async #serveNewestOf(versions: readonly PublishedVersion[]): Promise<SiteFiles | undefined> {
    const { log } = this.#deps
    let failed: FailedVersion | undefined
    for (const version of versions) {
      try {
        const files = await this.#render(version)
        await this.#note(failed)
        return files
      } catch (cause) {
        if (cause instanceof Unavailable) throw cause // the next look tries again
        log.error(`version ${version.id} of the page cannot be served`, { cause })
        failed ??= { version: version.id, why: cause instanceof Error ? cause.message : '' }
      }
    }
    await this.#note(failed)
    return undefined
  }

  async #note(failed: FailedVersion | undefined): Promise<void> {
    await noteFailure(this.#deps.database, failed)
    this.#failed = failed
  }

  async #render(version: PublishedVersion): Promise<SiteFiles> {
    const drawnSite = await this.#drawAnew(version)
    const rendered = await this.#deps.renderer.render(drawnSite.source, drawnSite.drawn)
    return siteFiles(this.#deps.built, { id: version.id, drawnSite, rendered })
  }

  /** The guide shows the inputs of our script, and a newer release may have another script. */
  async #drawAnew(version: PublishedVersion): Promise<DrawnSite> {
    const { database, renderer, log, now } = this.#deps
    const stored = await readDrawnSite(database, version)
    const { source } = stored
    try {
      const drawings = await renderer.draw(source, stored)
      if (isDeepStrictEqual(drawings.drawnFrom, stored.drawnFrom)) return stored
      await replaceDrawings(database, version, drawings, now())
      return { source, ...drawings }
    } catch (cause) {
      if (cause instanceof Unavailable) throw cause
      log.error(`version ${version.id} of the page keeps its guide and pictures`, { cause })
      return stored
    }
  }
}

function siteFiles(built: SiteFiles, { id, drawnSite, rendered }: RenderedVersion): SiteFiles {
  const { source, drawn } = drawnSite
  const ownBytes: Record<string, Uint8Array | undefined> = {
    [scriptFile]: source.files.script?.bytes,
    [guideFile]: source.files.guide?.bytes ?? drawn.guide,
  }
  const kit = rendered.kit.map((file) => {
    const own = ownBytes[file.name]
    const ours = built.kit.find(({ name }) => name === file.name)
    if (!own && !ours) throw new Error(`The build has no ${file.name}`)
    return { ...file, contents: own ? Buffer.from(own) : ours!.contents }
  })
  const root = new Map(built.root)
  for (const [name, bytes] of Object.entries(rendered.root)) root.set(name, Buffer.from(bytes))
  return {
    version: id,
    content: rendered.content,
    pages: new Map(Object.entries(rendered.pages)),
    root,
    kit,
    releases: rendered.releases,
    mails: rendered.mails,
    inlineHashes: rendered.inlineHashes,
  }
}
