import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { KitRelease } from '#content/releases.ts'
import { fillPlaceholders } from '#text/placeholders.ts'
import { loadPages, type PageConfig, type Pages } from '../http/pages.ts'
import { type PreparedFile, prepareFile } from '../http/prepared-file.ts'
import { type SecurityHeaders, securityHeaders } from '../http/security-headers.ts'
import type { ServedKitFile } from '../routes/personal-page.ts'

/** What the build wrote, as it is served. */
export interface BuiltFiles {
  /** The folder of the build. */
  dist: string
  pages: Pages
  /** The files at the site's root, by path. */
  rootFiles: ReadonlyMap<string, PreparedFile>
  kit: readonly ServedKitFile[]
  /** The versions of the kit, the newest first. */
  releases: readonly KitRelease[]
  security: SecurityHeaders
}

export async function loadFiles(dist: string, config: PageConfig): Promise<BuiltFiles> {
  const { publicUrl, functionsUrl } = config
  const kit: Omit<ServedKitFile, 'path'>[] = readJson(join(dist, 'kit/kit.json'))
  return {
    dist,
    pages: await loadPages(dist, config),
    rootFiles: await loadRootFiles(join(dist, 'root'), publicUrl),
    kit: kit.map((file) => ({ ...file, path: join(dist, 'kit', file.name) })),
    releases: readJson(join(dist, 'kit/releases.json')),
    security: securityHeaders(publicUrl, functionsUrl, readJson(join(dist, 'build.json'))),
  }
}

/** The build writes it in the form that its reader expects. */
function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

const mediaTypes: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.mjs': 'text/plain; charset=utf-8', // to be read, never run in a browser
  '.xml': 'application/xml; charset=utf-8',
}

/** The text files name the site's own address. */
async function loadRootFiles(
  folder: string,
  publicUrl: string,
): Promise<Map<string, PreparedFile>> {
  const files = new Map<string, PreparedFile>()
  for (const name of readdirSync(folder)) {
    const stored = readFileSync(join(folder, name))
    const isText = !name.endsWith('.png')
    const content = isText ? fillPlaceholders(stored.toString(), { publicUrl }) : stored
    const type = mediaTypes[extname(name)] ?? 'application/octet-stream'
    const headers = { 'content-type': type, 'cache-control': 'public, max-age=86400' }
    files.set(`/${name}`, await prepareFile(content, headers))
  }
  return files
}
