import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { codings, compress, type Coding } from './compress.ts'
import { fillPlaceholders } from './pages.ts'
import { makeStaticFile, type StaticFile } from './static-files.ts'

/** The files that anybody may fetch, by the path of their address: `/assets/…` and those at the site's root. */
export async function loadStaticFiles(dist: string, publicUrl: string): Promise<Map<string, StaticFile>> {
  const [assets, root] = await Promise.all([
    loadAssets(join(dist, 'assets')),
    loadRoot(join(dist, 'root'), publicUrl),
  ])
  return new Map([...assets, ...root])
}

/** The files of the starter kit as downloads, by the last part of their address. */
export async function loadKitDownloads(dist: string): Promise<Map<string, StaticFile>> {
  const kit: { name: string; savedAs: string; mediaType: string }[] = JSON.parse(
    await readFile(join(dist, 'kit/kit.json'), 'utf8'),
  )
  const files = kit.map(async ({ name, savedAs, mediaType }): Promise<[string, StaticFile]> => {
    const headers = {
      'content-type': mediaType,
      'content-disposition': `attachment; filename="${savedAs}"`,
      'cache-control': 'private, no-cache',
    }
    return [name, makeStaticFile(await readFile(join(dist, 'kit', name)), new Map(), headers)]
  })
  return new Map(await Promise.all(files))
}

async function loadAssets(folder: string): Promise<[string, StaticFile][]> {
  const names = await readdir(folder)
  return Promise.all(
    names
      .filter((name) => !isCompressed(name))
      .map(async (name) => {
        const bytes = await readFile(join(folder, name))
        const coded = await readCoded(folder, name, names)
        // The name holds a hash of the contents: the same address never gets other bytes.
        const headers = {
          'content-type': mediaTypeOf(name),
          'cache-control': 'public, max-age=31536000, immutable',
        }
        return [`/assets/${name}`, makeStaticFile(bytes, coded, headers)]
      }),
  )
}

function isCompressed(name: string): boolean {
  return codings.some(({ ending }) => name.endsWith(ending))
}

async function readCoded(folder: string, name: string, names: string[]): Promise<Map<Coding, Buffer>> {
  const files = codings
    .filter(({ ending }) => names.includes(name + ending))
    .map(async ({ coding, ending }) => [coding, await readFile(join(folder, name + ending))] as const)
  return new Map(await Promise.all(files))
}

async function loadRoot(folder: string, publicUrl: string): Promise<[string, StaticFile][]> {
  const names = await readdir(folder)
  return Promise.all(
    names.map(async (name) => {
      const headers = { 'content-type': mediaTypeOf(name), 'cache-control': 'public, max-age=86400' }
      const stored = await readFile(join(folder, name))
      if (extname(name) === '.png') return [`/${name}`, makeStaticFile(stored, new Map(), headers)]
      const bytes = Buffer.from(fillPlaceholders(stored.toString(), { publicUrl }))
      return [`/${name}`, makeStaticFile(bytes, await compress(bytes, 'quick'), headers)]
    }),
  )
}

const mediaTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
}

function mediaTypeOf(name: string): string {
  const mediaType = mediaTypes[extname(name)]
  if (!mediaType) throw new Error(`No media type is known for ${name}`)
  return mediaType
}
