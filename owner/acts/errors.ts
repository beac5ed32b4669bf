import { messageOf, Unavailable } from '#server/database/database.ts'
import { NewerDatabase } from '#server/database/open-database.ts'
import { explainNetworkFault } from './network-faults.ts'

/** The reason why an act of the owner failed, in one sentence for desk and command line. */
export class CommandError extends Error {}

/** The command line is invalid. */
export class UsageError extends CommandError {}

/** The reason why a form was not accepted, in one sentence that stands at a field. */
export class FieldError extends CommandError {
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/** One sentence for the owner. File and disk errors have Node's own message. */
export function explainError(error: unknown): string {
  if (error instanceof CommandError) return error.message
  if (error instanceof NewerDatabase) return `${error.message}.`
  if (!(error instanceof Error)) return `It failed: ${String(error)}`
  const isUnavailable = error instanceof Unavailable
  const cause = isUnavailable && error.cause instanceof Error ? error.cause : error
  const code = isUnavailable && 'code' in cause ? String(cause.code) : ''
  const networkFault = explainNetworkFault(code)
  if (networkFault !== undefined) return `The database does not answer: ${networkFault}.`
  const said = messageOf(cause)
  const isDatabaseFault = isUnavailable || 'errcode' in error || 'severity' in error
  return isDatabaseFault ? `The database reports an error: ${said}.` : `It failed: ${said}.`
}
