import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const folder = '/dev/shm'

/**
 * A folder in memory for the files of tests, if there is room: otherwise each commit waits for a
 * disk, and a new database of PostgreSQL takes three times as long. Else that of temporary files.
 */
export function memoryFolder(): string {
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    return tmpdir()
  }
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 2_000_000_000 ? folder : tmpdir()
}
