import { ContentError } from '#site/kit/content-error.ts'
import type { Renderer } from '#server/site/renderer-client.ts'
import type { FileKind, OwnFile } from '#site/source.ts'
import type { Database, Reader } from '#server/database/database.ts'
import { storeFile } from '#server/site/content-files.ts'
import type { ServerContext } from '#server/start/context.ts'
import { FieldError } from '#owner/acts/field-error.ts'
import { dropDraftText, writeDraftText } from './draft/draft.ts'
import { stillTruePath } from './draft/draft-difference.ts'
import { putDraftFile } from './draft/draft-files.ts'
import { readDraftedPage } from './draft/drafted-page.ts'
import { draftReleases } from './draft-releases.ts'

/** A file that an owner's device hands over. */
export interface GivenFile {
  kind: FileKind
  /** On that device. */
  name: string
  bytes: Uint8Array
  /** The hash of the file that the device knows of. Null: ours. */
  before: string | null
}

/** A file that another device chose meanwhile. Nothing was changed. */
export interface FileConflict {
  /** Null: ours. */
  name: string | null
  /** In bytes. Null: ours. */
  size: number | null
  /** Null: ours. */
  hash: string | null
  /** ms since 1970. Null: it is published. */
  changedAt: number | null
}

/**
 * Takes a file into the draft. Throws a FieldError with a sentence for one that cannot be taken. The
 * desk asks later for the version of a script that has none.
 */
export async function takeFile(
  server: ServerContext,
  { kind: fileKind, name, bytes, before }: GivenFile,
): Promise<FileConflict | undefined> {
  const { database, now } = server
  const file = await readFile(server.renderer, fileKind, { name, mediaType: '', bytes })
  const hash = await storeFile(database, file.bytes, now())
  const stored = { hash, name, mediaType: file.mediaType, size: file.bytes.length }
  const conflict = await database.transaction(async (transaction) => {
    await transaction.lock('page-draft')
    const found = await findConflict(transaction, fileKind, [before, hash])
    if (!found) {
      await putDraftFile(transaction, { kind: fileKind, file: stored, changedAt: now() })
    }
    return found
  })
  if (conflict || fileKind !== 'script') return conflict
  await askAgainWhatIsTrue(database, now())
  await draftReleases(server)
  return undefined
}

async function readFile(
  renderer: Pick<Renderer, 'readFiles'>,
  fileKind: FileKind,
  given: OwnFile,
): Promise<OwnFile> {
  try {
    const { files, faults } = await renderer.readFiles({ [fileKind]: given })
    const file = files[fileKind]
    if (!file) throw new FieldError(fileKind, faults[0]?.message ?? '')
    return file
  } catch (fault) {
    if (!(fault instanceof ContentError)) throw fault
    throw new FieldError(fileKind, fault.message)
  }
}

/** The owner called texts true of the script before, so each is asked about again. */
async function askAgainWhatIsTrue(database: Database, now: number): Promise<void> {
  const { publishedTexts } = await readDraftedPage(database)
  if (publishedTexts[stillTruePath] === undefined) {
    await dropDraftText(database, stillTruePath)
  } else {
    await writeDraftText(database, { path: stillTruePath, value: [], now })
  }
}

/** The file of the draft, if it has none of the expected hashes. */
async function findConflict(
  reader: Reader,
  fileKind: FileKind,
  expected: readonly (string | null)[],
): Promise<FileConflict | undefined> {
  const { files, draftFiles } = await readDraftedPage(reader)
  const { hash = null, name = null, size = null } = files[fileKind] ?? {}
  if (expected.includes(hash)) return undefined
  const drafted = draftFiles.find((one) => one.kind === fileKind)
  return { name, size, hash, changedAt: drafted?.changedAt ?? null }
}
