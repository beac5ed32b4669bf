import { hash } from 'node:crypto'
import type { FileKind, OwnFile, OwnFiles, SiteSource } from '#site/source.ts'
import type { Reader } from '#server/database/database.ts'
import { readFile } from '#server/site/content-files.ts'
import { versionLine, withVersionLine } from '#site/kit/version-line.ts'
import { type PublishedVersion, readPublished, type StoredFile } from '#server/site/versions.ts'
import { fieldAt } from '#site/words/description.ts'
import { type DraftText, readDraft } from './draft.ts'
import { asDifference, asTexts, isKnownText, type Texts } from './draft-difference.ts'
import { type DraftFile, readDraftFiles } from './draft-files.ts'

export type StoredFiles = Readonly<Partial<Record<FileKind, StoredFile>>>

/** The published page, and the changes of the draft. */
export interface DraftedPage {
  /** The defaults, if it is undefined. */
  published: PublishedVersion | undefined
  publishedTexts: Texts
  draft: readonly DraftText[]
  draftFiles: readonly DraftFile[]
  /** As they would be published. */
  texts: Texts
  /** As they would be published. */
  files: StoredFiles
  /** Published or drafted before the product lost these texts. They are left out. */
  unknown: readonly string[]
  /** Another one whenever any of it changes. */
  stamp: string
}

export async function readDraftedPage(reader: Reader): Promise<DraftedPage> {
  const published = await readPublished(reader)
  const storedDraft = await readDraft(reader)
  const draftFiles = await readDraftFiles(reader)
  const storedTexts = published ? asTexts(published.difference) : {}
  const draft = storedDraft.filter(({ path }) => isKnownText(path))
  const publishedTexts = Object.fromEntries(
    Object.entries(storedTexts).filter(([path]) => isKnownText(path)),
  )
  const drafted = Object.fromEntries(draft.map(({ path, value }) => [path, value]))
  const texts = { ...publishedTexts, ...drafted }
  const files: Partial<Record<FileKind, StoredFile>> = { ...published?.files }
  for (const { kind, file } of draftFiles) {
    if (file) files[kind] = file
    else delete files[kind]
  }
  const paths = [...Object.keys(storedTexts), ...storedDraft.map(({ path }) => path)]
  const unknown = paths.filter((path) => !isKnownText(path))
  const stamp = hash('sha256', JSON.stringify([published?.id, draft, draftFiles]))
  return { published, publishedTexts, draft, draftFiles, texts, files, unknown, stamp }
}

const namedChanges = 3

/** Names what a draft changes, such as "Postal address, Imprint", for lists of versions. */
export function describeDraft({
  draft,
  draftFiles,
}: Pick<DraftedPage, 'draft' | 'draftFiles'>): string {
  const texts = draft.flatMap(({ path }) => fieldAt(path)?.label ?? [])
  const names = [...draftFiles.map(({ kind }) => fileNames[kind]), ...texts]
  const more = names.length - namedChanges
  const named = names.slice(0, namedChanges).join(', ')
  return more > 0 ? `${named} and ${more} more` : named
}

const fileNames: Readonly<Record<FileKind, string>> = {
  script: 'The script',
  guide: 'The guide',
  sharePicture: 'Share picture',
  chart: 'Chart',
  icon: 'Icon',
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
  return { difference: asDifference(texts), files: own }
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
