import { extname, join } from 'node:path'
import { listProjectFiles, readProjectFile } from '../configuration/project-files.ts'
import { type Coding, codings, compress } from './compress.ts'
import { fillPlaceholders } from './pages.ts'
import { makeStaticFile, type StaticFile } from './static-files.ts'

type Files = Map<string, StaticFile>

/** The files that anybody may fetch, by path: `/assets/…` and those at the site's root. */
export async function loadStaticFiles(dist: string, publicUrl: string): Promise<Files> {
  const [assets, root] = await Promise.all([
    loadAssets(join(dist, 'assets'), '/assets'),
    loadRoot(join(dist, 'root'), publicUrl),
  ])
  return new Map([...assets, ...root])
}

/** The files of the starter kit as downloads, by the last part of their path. */
export async function loadKitDownloads(dist: string): Promise<Files> {
  const kit: { name: string; savedAs: string; mediaType: string }[] = JSON.parse(
    readProjectFile(join(dist, 'kit/kit.json')).toString(),
  )
  return loadEach(kit, async ({ name, savedAs, mediaType }) => {
    const bytes = readProjectFile(join(dist, 'kit', name))
    const disposition = `attachment; filename="${savedAs}"`
    return [
      name,
      makeStaticFile(bytes, new Map(), { 'content-type': mediaType, 'content-disposition': disposition }),
    ]
  })
}

/** The name of an asset holds a hash of its contents: an address never gets other bytes. */
export async function loadAssets(folder: string, path: string): Promise<Files> {
  const names = listProjectFiles(folder)
  const plain = names.filter((name) => !codings.some(({ ending }) => name.endsWith(ending)))
  return loadEach(plain, async (name) => {
    const coded = new Map<Coding, Buffer>()
    for (const { coding, ending } of codings)
      if (names.includes(name + ending)) coded.set(coding, readProjectFile(join(folder, name + ending)))
    const headers = headersOf(name, 'public, max-age=31536000, immutable')
    return [`${path}/${name}`, makeStaticFile(readProjectFile(join(folder, name)), coded, headers)]
  })
}

async function loadRoot(folder: string, publicUrl: string): Promise<Files> {
  return loadEach(listProjectFiles(folder), async (name) => {
    const headers = headersOf(name, 'public, max-age=86400')
    const stored = readProjectFile(join(folder, name))
    if (extname(name) === '.png') return [`/${name}`, makeStaticFile(stored, new Map(), headers)]
    const bytes = Buffer.from(fillPlaceholders(stored.toString(), { publicUrl }))
    return [`/${name}`, makeStaticFile(bytes, await compress(bytes, 'quick'), headers)]
  })
}

async function loadEach<Item>(
  items: readonly Item[],
  load: (item: Item) => Promise<[string, StaticFile]>,
): Promise<Files> {
  return new Map(await Promise.all(items.map(load)))
}

const mediaTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.mjs': 'text/plain; charset=utf-8', // to be read, never run in a browser
  '.xml': 'application/xml; charset=utf-8',
}

function headersOf(name: string, cacheControl: string) {
  const mediaType = mediaTypes[extname(name)]
  if (!mediaType) throw new Error(`No media type is known for ${name}`)
  return { 'content-type': mediaType, 'cache-control': cacheControl }
}
