import { extname, join } from 'node:path'
import { listProjectFiles, readProjectFile } from '../configuration/project-files.ts'
import { codings, compress } from './compress.ts'
import { fillPlaceholders } from './pages.ts'
import { makeStaticFile, type StaticFile } from './static-files.ts'

type Files = Map<string, StaticFile>

/** The files that anybody may fetch, by path: `/assets/…` and those at the site's root. */
export async function loadStaticFiles(dist: string, publicUrl: string): Promise<Files> {
  const root = await loadRoot(join(dist, 'root'), publicUrl)
  return new Map([...loadAssets(join(dist, 'assets'), '/assets'), ...root])
}

/** The files of the starter kit as downloads, by the last part of their path. */
export function loadKitDownloads(dist: string): Files {
  const list = readProjectFile(join(dist, 'kit/kit.json')).toString()
  const kit: { name: string; savedAs: string; mediaType: string }[] = JSON.parse(list)
  return new Map(
    kit.map(({ name, savedAs, mediaType }) => {
      const disposition = `attachment; filename="${savedAs}"`
      const headers = { 'content-type': mediaType, 'content-disposition': disposition }
      return [name, makeStaticFile(readProjectFile(join(dist, 'kit', name)), new Map(), headers)]
    }),
  )
}

/** The name of an asset holds a hash of its contents: an address never gets other bytes. */
export function loadAssets(folder: string, path: string): Files {
  const names = listProjectFiles(folder)
  const plain = names.filter((name) => !codings.some(({ ending }) => name.endsWith(ending)))
  const read = (name: string) => readProjectFile(join(folder, name))
  return new Map(
    plain.map((name) => {
      const made = codings.filter(({ ending }) => names.includes(name + ending))
      const coded = new Map(made.map(({ coding, ending }) => [coding, read(name + ending)]))
      const headers = headersOf(name, 'public, max-age=31536000, immutable')
      return [`${path}/${name}`, makeStaticFile(read(name), coded, headers)]
    }),
  )
}

async function loadRoot(folder: string, publicUrl: string): Promise<[string, StaticFile][]> {
  const load = async (name: string): Promise<[string, StaticFile]> => {
    const headers = headersOf(name, 'public, max-age=86400')
    const stored = readProjectFile(join(folder, name))
    if (extname(name) === '.png') return [`/${name}`, makeStaticFile(stored, new Map(), headers)]
    const bytes = Buffer.from(fillPlaceholders(stored.toString(), { publicUrl }))
    return [`/${name}`, makeStaticFile(bytes, await compress(bytes, 'quick'), headers)]
  }
  return Promise.all(listProjectFiles(folder).map(load))
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
