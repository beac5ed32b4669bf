import type { FileKind, OwnFile, OwnFiles, SiteSource } from '#site/source.ts'
import type { Reader } from '#server/database/database.ts'
import { readFile } from '#server/site/versions/content-files.ts'
import { versionLine, withVersionLine } from '#site/kit/version-line.ts'
import {
  type PageVersion,
  type PublishedVersion,
  readNewest,
  readPublished,
  type StoredFiles,
} from '#server/site/versions/versions.ts'
import { fieldAt } from '#site/words/description.ts'
import { fileNames } from './file-words.ts'
import { asDifference, isKnownText, isSame, textAt, type Texts } from './draft-difference.ts'

/** The page as it is published, and as the owner edits it. */
export interface DraftedPage {
  /** The defaults, if it is undefined. */
  published: PublishedVersion | undefined
  /** The draft; without one, what is published. Undefined: nobody has changed the defaults yet. */
  newest: PageVersion | undefined
  publishedTexts: Texts
  /** As they would be published. */
  texts: Texts
  /** As they would be published. */
  files: StoredFiles
  /** Published or drafted before the product lost these texts. They are left out. */
  unknown: readonly string[]
}

export async function readDraftedPage(reader: Reader): Promise<DraftedPage> {
  const published = await readPublished(reader)
  const newest = await readNewest(reader)
  const publishedTexts = textsOf(published)
  const texts = textsOf(newest)
  const stored = Object.keys({ ...publishedTexts, ...texts })
  return {
    published,
    newest,
    publishedTexts: knownOf(publishedTexts),
    texts: knownOf(texts),
    files: newest?.files ?? {},
    unknown: stored.filter((path) => !isKnownText(path)),
  }
}

function textsOf(version: PageVersion | undefined): Texts {
  return version?.difference.texts ?? {}
}

function knownOf(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([path]) => isKnownText(path)))
}

/** The texts and files that the draft changes of what is published. */
export function changesOf({ published, publishedTexts, texts, files }: DraftedPage): {
  paths: string[]
  kinds: FileKind[]
} {
  const publishedFiles = published?.files ?? {}
  const paths = Object.keys({ ...publishedTexts, ...texts })
  const kinds = Object.keys({ ...publishedFiles, ...files }) as FileKind[] // they have no other
  return {
    paths: paths.filter(
      (path) => !isSame(textAt(texts, path, files), textAt(publishedTexts, path, files)),
    ),
    kinds: kinds.filter((kind) => files[kind]?.hash !== publishedFiles[kind]?.hash),
  }
}

const namedChanges = 3

/** Names what a draft changes, such as "Postal address, Imprint", for lists of versions. */
export function describeDraft(page: DraftedPage): string {
  const { paths, kinds } = changesOf(page)
  const texts = paths.flatMap((path) => fieldAt(path)?.label ?? [])
  const names = [...kinds.map((kind) => fileNames[kind]), ...texts]
  const more = names.length - namedChanges
  const named = names.slice(0, namedChanges).join(', ')
  return more > 0 ? `${named} and ${more} more` : named
}

/** The bytes that were read last, by hash, so that a preview after each letter reads no file. */
const lastRead = new Map<string, Buffer>()

/** A page to be rendered, with the bytes of its files. */
export async function readSource(
  reader: Reader,
  { texts, files }: Pick<DraftedPage, 'texts' | 'files'>,
): Promise<SiteSource> {
  const own: Partial<Record<FileKind, OwnFile>> = {}
  for (const [kind, file] of Object.entries(files)) {
    const bytes = lastRead.get(file.hash) ?? (await readFile(reader, file.hash))
    lastRead.set(file.hash, bytes)
    own[kind as FileKind] = { name: file.name, mediaType: file.mediaType, bytes } // a key of files
  }
  const used = new Set(Object.values(files).map((file) => file.hash))
  for (const key of lastRead.keys()) if (!used.has(key)) lastRead.delete(key)
  return { difference: asDifference(texts, own), files: own }
}

/**
 * The same, as the owner looks at it: a script without a version line is shown as if it had one,
 * and the owner is still asked for it.
 */
export async function readShownSource(
  reader: Reader,
  page: Pick<DraftedPage, 'texts' | 'files'>,
  now: number,
): Promise<SiteSource> {
  const source = await readSource(reader, page)
  return { ...source, files: withAnyVersion(source.files, now) }
}

function withAnyVersion(files: OwnFiles, now: number): OwnFiles {
  const { script } = files
  if (!script || versionLine(script.bytes)) return files
  const date = new Date(now).toISOString().slice(0, 10)
  return {
    ...files,
    script: { ...script, bytes: withVersionLine(script.bytes, { version: '1.0.0', date }) },
  }
}
