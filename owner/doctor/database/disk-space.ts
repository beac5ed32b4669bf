import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

const minFreeBytes = 500_000_000

/** The space beside a SQLite file. It is low below twice the file, because a backup, or the rewrite after an erasure, needs a copy. */
export async function readDiskSpace(file: string) {
  const { bavail, bsize } = await statfs(dirname(file))
  const freeBytes = bavail * bsize
  return { freeBytes, isLow: freeBytes < Math.max(minFreeBytes, 2 * (await stat(file)).size) }
}
