import type { Database } from '#server/database/database.ts'
import { dropUnusedFiles } from '#server/site/content-files.ts'
import { listVersions } from '#server/site/versions.ts'

/** Deletes the files that no version has any more. */
export async function dropUnusedPageFiles(database: Database, now: number): Promise<void> {
  await database.transaction(async (transaction) => {
    const versions = await listVersions(transaction)
    const served = versions.find(({ state }) => state === 'published')
    const used = versions.flatMap(({ files }) => Object.values(files).map(({ hash }) => hash))
    // Another bundle than the one that is served is not read any more.
    if (served?.bundle) used.push(served.bundle.text, ...Object.values(served.bundle.files))
    await dropUnusedFiles(transaction, [...new Set(used)], now)
  })
}
