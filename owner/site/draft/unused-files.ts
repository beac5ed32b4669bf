import type { Database } from '#server/database/database.ts'
import { dropUnusedFiles } from '#server/site/content-files.ts'
import { listVersions } from '#server/site/versions.ts'
import { readDraftFiles } from './draft-files.ts'
import { listKeptDrafts } from './kept-drafts.ts'

/** Deletes the files that neither a version nor a draft has any more. */
export async function dropUnusedPageFiles(database: Database, now: number): Promise<void> {
  await database.transaction(async (transaction) => {
    const versions = await listVersions(transaction)
    const [served] = versions
    const drafts = await listKeptDrafts(transaction)
    const drafted = await readDraftFiles(transaction)
    const used = [
      ...versions.flatMap(({ files }) => Object.values(files).map(({ hash }) => hash)),
      ...(served ? [served.bundle.text, ...Object.values(served.bundle.files)] : []),
      ...drafts.flatMap(({ files }) => Object.values(files).map(({ hash }) => hash)),
      ...drafted.flatMap(({ file }) => file?.hash ?? []),
    ]
    await dropUnusedFiles(transaction, [...new Set(used)], now)
  })
}
