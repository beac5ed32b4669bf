import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian keeps servers where a user's PATH does not lead. */
export const toolsPath = [process.env['PATH'], '/usr/sbin', '/sbin'].join(delimiter)

/**
 * Says which of these programs a test lacks, for `skip(reason !== '', reason)`; '' if none. `root`:
 * only root can use them.
 */
export function reasonToSkip(programs: readonly string[], { root = false } = {}): string {
  const missing = programs.filter((name) => !isInstalled(name))
  if (missing.length > 0) return `not installed here: ${missing.join(', ')}`
  if (root && process.getuid?.() !== 0) return 'needs root'
  return ''
}

export function isInstalled(program: string): boolean {
  return toolsPath.split(delimiter).some((folder) => existsSync(join(folder, program)))
}
