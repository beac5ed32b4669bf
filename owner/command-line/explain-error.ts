import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Unavailable } from '#server/database/database.ts'
import { CommandError } from './command-context.ts'

/** One sentence for the owner. */
export function explainError(error: unknown): string {
  if (error instanceof CommandError) return error.message
  if (!(error instanceof Error)) return `It failed: ${String(error)}`
  const cause = error instanceof Unavailable && error.cause instanceof Error ? error.cause : error
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  const path = 'path' in cause && typeof cause.path === 'string' ? cause.path : undefined
  if (path && code === 'ENOENT')
    return existsSync(dirname(path)) ? `There is no file ${path}.` : `There is no folder ${dirname(path)}.`
  if (path && code === 'EEXIST') return `${path} exists already; nothing was changed.`
  if (path && (code === 'EACCES' || code === 'EPERM')) return `This user may not use ${path}.`
  if (code === 'EISDIR') return 'That is a folder, and a file is needed.'
  if (code === 'ENOSPC' || /database or disk is full/.test(cause.message)) return 'The disk is full.'
  const said = cause.message || code || cause.name // a refused connection has no message
  return isDatabaseFault(error) ? `The database reports an error: ${said}.` : `It failed: ${said}`
}

/** A fault of the database's machine, its program or its files, and none of ours. */
function isDatabaseFault(error: unknown): boolean {
  return (
    error instanceof Unavailable || (error instanceof Error && ('errcode' in error || 'severity' in error))
  )
}
