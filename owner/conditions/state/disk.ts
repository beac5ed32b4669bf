import type { Config } from '#server/settings/config.ts'
import { countText } from '#owner/acts/output.ts'
import { readDiskSpace } from '#owner/acts/owned-database.ts'
import { about, type Condition } from '../condition.ts'

/** The disk of a SQLite file. */
export async function judgeDiskSpace(config: Pick<Config, 'databaseUrl'>): Promise<Condition[]> {
  const space = await readDiskSpace(config)
  if (!space) return []
  const { fine, error } = about('database.disk')
  const free = `${countText(Math.floor(space.freeBytes / 1_000_000))} MB are free on the disk of the database.`
  if (!space.isLow) return [fine(free)]
  const why = `${free} When it is full no sign-up can be kept: visitors are asked to try again later.`
  return [error('The disk is nearly full.', 'Delete old backups, or enlarge the disk.', { why })]
}
