import type { Database, Transaction } from '#server/database/database.ts'
import { dropUnusedFiles } from '#server/site/versions/content-files.ts'
import {
  deleteVersion,
  listVersions,
  type PageVersion,
  versionsLock,
} from '#server/site/versions/versions.ts'

/** The room for the files of all versions. */
const maxBytes = 300_000_000

/** Deletes the oldest versions while their files take too much, and the files that none has. */
export async function dropUnusedPageFiles(database: Database, now: number): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.lock(versionsLock)
    const versions = await keepWithinBytes(transaction, await listVersions(transaction))
    const served = versions.find(({ state }) => state === 'published')
    const used = versions.flatMap(({ files }) => Object.values(files).map(({ hash }) => hash))
    // Another bundle than the one that is served is not read any more.
    if (served?.bundle) used.push(served.bundle.text, ...Object.values(served.bundle.files))
    await dropUnusedFiles(transaction, [...new Set(used)], now)
  })
}

/** `versions`: the newest first. The newest stays, and so does the one that is served. */
async function keepWithinBytes(
  transaction: Transaction,
  versions: readonly PageVersion[],
): Promise<PageVersion[]> {
  const served = versions.find(({ state }) => state === 'published')
  const sizes = new Map<string, number>()
  const kept: PageVersion[] = []
  for (const version of versions) {
    for (const { hash, size } of Object.values(version.files)) sizes.set(hash, size)
    const bytes = sizes.values().reduce((sum, size) => sum + size, 0)
    const isInUse = version === versions[0] || version === served
    if (isInUse || bytes <= maxBytes) kept.push(version)
    else await deleteVersion(transaction, version.id)
  }
  return kept
}
