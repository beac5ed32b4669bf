import { ContentError } from '#site/kit/content-error.ts'
import type { Renderer } from '#server/site/renderer-client.ts'
import type { FileKind, OwnFile } from '#site/source.ts'
import type { Reader } from '#server/database/database.ts'
import { storeFile } from '#server/site/versions/content-files.ts'
import type { StoredFile } from '#server/site/versions/versions.ts'
import type { ServerContext } from '#server/start/context.ts'
import { FieldError } from '#owner/acts/errors.ts'
import {
  changeDraft,
  changeSince,
  type Conflict,
  revisionOf,
  type WholeDraft,
} from '../draft/change-draft.ts'
import type { Texts } from '../draft/draft-difference.ts'
import type { DraftedPage } from '../draft/drafted-page.ts'
import { withReleases } from './releases.ts'

/** A file that an owner's device hands over. */
export interface GivenFile {
  kind: FileKind
  /** On that device. */
  name: string
  bytes: Uint8Array
  /** The revision of the page that the device knows of. */
  revision: number
}

/** A file that another device chose meanwhile. Nothing was changed. Null: ours. */
export interface FileConflict extends Conflict<Pick<StoredFile, 'name' | 'size'> | null> {
  /** The page's revision now. */
  revision: number
}

/**
 * Takes a file into the draft. Throws a FieldError with a sentence for one that cannot be taken.
 * The desk asks later for the version of a script that has none.
 */
export async function takeFile(
  server: ServerContext,
  { kind, name, bytes, revision }: GivenFile,
): Promise<FileConflict | undefined> {
  const { database, now } = server
  const file = await readFile(server.renderer, kind, { name, mediaType: '', bytes })
  const hash = await storeFile(database, file.bytes, now())
  const stored = { hash, name, mediaType: file.mediaType, size: file.bytes.length }
  return changeDraft(database, { at: now(), tab: '' }, async (page, write, transaction) => {
    const changed = changeSince(page, kind, { revision, tab: '' })
    const theirs = page.files[kind] ?? null
    if (changed && theirs?.hash !== hash) {
      return { theirs, changedAt: changed.at, revision: revisionOf(page) }
    }
    await write(await withFile(transaction, page, kind, stored))
    return undefined
  })
}

/** The draft with another file. Undefined: with ours. */
export async function withFile(
  reader: Reader,
  page: DraftedPage,
  kind: FileKind,
  file: StoredFile | undefined,
): Promise<WholeDraft> {
  const { [kind]: before, ...others } = page.files
  const files = file ? { ...others, [kind]: file } : others
  if (kind !== 'script' || before?.hash === file?.hash) return { texts: page.texts, files }
  return withReleases(reader, page, {
    texts: file ? page.texts : withoutFacts(page.texts),
    files,
  })
}

/** Our script comes with facts of its own. */
function withoutFacts(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([path]) => !path.startsWith('kit.')))
}

async function readFile(
  renderer: Pick<Renderer, 'readFiles'>,
  kind: FileKind,
  given: OwnFile,
): Promise<OwnFile> {
  try {
    const { files, faults } = await renderer.readFiles({ [kind]: given })
    const file = files[kind]
    if (!file) throw new FieldError(kind, faults[0]?.message ?? '')
    return file
  } catch (fault) {
    if (!(fault instanceof ContentError)) throw fault
    throw new FieldError(kind, fault.message)
  }
}
