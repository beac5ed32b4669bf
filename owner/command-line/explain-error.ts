import { Unavailable } from '#server/database/database.ts'
import { CommandError } from './command-context.ts'

/** One sentence for the owner. Node says of a file or a disk what is wrong with it. */
export function explainError(error: unknown): string {
  if (error instanceof CommandError) return error.message
  if (!(error instanceof Error)) return `It failed: ${String(error)}`
  const cause = error instanceof Unavailable && error.cause instanceof Error ? error.cause : error
  const said = cause.message || ('code' in cause && String(cause.code)) || cause.name // a refused connection has no message
  const isDatabaseFault = error instanceof Unavailable || 'errcode' in error || 'severity' in error
  return isDatabaseFault ? `The database reports an error: ${said}.` : `It failed: ${said}.`
}
