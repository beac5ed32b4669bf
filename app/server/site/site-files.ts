import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Content, defaultContent } from '#content/content.ts'
import type { KitRelease } from '#content/releases.ts'
import type { InlineHashes, RenderedMails } from '#site/rendered-site.ts'
import type { Download } from '../http/download.ts'

/** A site as it was rendered. The {placeholders} of address, credential and support stay. */
export interface SiteFiles {
  /** The number of the owner's version. Undefined: these are the defaults. */
  version?: number
  content: Content
  /** HTML of pages and of parts of pages, by name. */
  pages: ReadonlyMap<string, string>
  /** The files at the site's root, by name. */
  root: ReadonlyMap<string, Buffer>
  kit: readonly ServedKitFile[]
  /** The versions of the kit, the newest first. */
  releases: readonly KitRelease[]
  mails: RenderedMails
  /** Hashes of the inline styles and scripts of all pages. */
  inlineHashes: InlineHashes
}

/** A file of the kit. */
export interface ServedKitFile extends Download {
  /** In its address. */
  readonly name: string
}

/** The site as the build wrote it to `dist`. */
export function readSiteFiles(dist: string): SiteFiles {
  const kit: Omit<ServedKitFile, 'contents'>[] = readJson(join(dist, 'kit/kit.json'))
  const root = join(dist, 'root')
  return {
    content: defaultContent,
    pages: readPages(join(dist, 'pages')),
    root: new Map(readdirSync(root).map((name) => [name, readFileSync(join(root, name))])),
    kit: kit.map((file) => ({ ...file, contents: readFileSync(join(dist, 'kit', file.name)) })),
    releases: readReleases(dist),
    mails: readRenderedMails(dist),
    inlineHashes: readJson(join(dist, 'build.json')),
  }
}

export function readRenderedMails(dist: string): RenderedMails {
  const read = (name: string) => readJson(join(dist, 'email', `${name}.json`))
  return {
    starter: read('starter-email'),
    versionLetter: read('version-letter'),
    letter: read('letter'),
  }
}

export function readReleases(dist: string): KitRelease[] {
  return readJson(join(dist, 'kit/releases.json'))
}

function readPages(folder: string): Map<string, string> {
  const pages = new Map<string, string>()
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.html')) continue
    pages.set(file.slice(0, -'.html'.length), readFileSync(join(folder, file), 'utf8'))
  }
  return pages
}

/** The build writes it in the form that its reader expects. */
function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
