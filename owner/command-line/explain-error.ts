import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDatabaseFault } from '#server/database/database.ts'
import { CommandError } from './command-context.ts'

/** One sentence for the owner. */
export function explainError(error: unknown): string {
  if (error instanceof CommandError) return error.message
  if (!(error instanceof Error)) return `It failed: ${String(error)}`
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const path = 'path' in error && typeof error.path === 'string' ? error.path : undefined
  if (path && code === 'ENOENT')
    return existsSync(dirname(path)) ? `There is no file ${path}.` : `There is no folder ${dirname(path)}.`
  if (path && code === 'EEXIST') return `${path} exists already; nothing was changed.`
  if (path && (code === 'EACCES' || code === 'EPERM')) return `This user may not use ${path}.`
  if (code === 'EISDIR') return 'That is a folder, and a file is needed.'
  if (code === 'ENOSPC' || /database or disk is full/.test(error.message)) return 'The disk is full.'
  if (isDatabaseFault(error)) return `The database reports an error: ${error.message || code}.`
  return `It failed: ${error.message || code || error.name}`
}
