import type { ServerContext } from '#server/start/context.ts'
import { storeFile } from '#server/site/versions/content-files.ts'
import { checkPublication } from '#server/site/publish.ts'
import type { StoredFile } from '#server/site/versions/versions.ts'
import type { FileKind } from '#site/source.ts'
import { readInThread } from './read-in-thread.ts'
import { FieldError } from '#owner/acts/errors.ts'
import { replaceDraft } from '../draft/change-draft.ts'

/**
 * Makes the draft of an exported page, and keeps the one that is there. Throws a CommandError with
 * a sentence for a file that cannot be taken.
 */
export async function bringPage(
  { database, renderer, now }: ServerContext,
  file: Uint8Array,
): Promise<void> {
  const { faults, ...publication } = await checkPublication(renderer, await readInThread(file))
  const [fault] = faults
  if (fault) {
    const { path, message } = fault
    throw new FieldError(path, `The file cannot be taken: “${path}”. ${message}`)
  }
  const files: Partial<Record<FileKind, StoredFile>> = {}
  for (const [kind, { name, mediaType, bytes }] of Object.entries(publication.files)) {
    const hash = await storeFile(database, bytes, now())
    files[kind as FileKind] = { hash, name, mediaType, size: bytes.length } // a key of files
  }
  const brought = { texts: publication.content.texts, files }
  await replaceDraft(database, brought, { action: 'Brought a page as a file', now: now() })
}
