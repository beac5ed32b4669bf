import type { Environment } from '#server/settings/config.ts'
import type { Renderer } from '#server/site/renderer-client.ts'
import { messageOf, Unavailable } from '#server/database/database.ts'
import { NewerDatabase } from '#server/database/open-database.ts'
import { explainNetworkFault } from './network-faults.ts'

/** The look-ups of node:dns. Each rejects with ENODATA, ENOTFOUND, ETIMEOUT, … */
export interface DnsLookUps {
  /** Each record in its pieces. */
  resolveTxt(name: string): Promise<string[][]>
  resolve4(name: string): Promise<string[]>
  resolve6(name: string): Promise<string[]>
  resolveNs(name: string): Promise<string[]>
}

/** Everything outside of a command. Tests replace it. */
export interface CommandContext {
  environment: Environment
  /** The project's, with content/ and dist/ in it. */
  folder: string
  /** ms since 1970. */
  now: () => number
  /** Replaces node:dns. */
  dns?: DnsLookUps
  /** Replaces the thread in which pages are rendered. */
  renderer?: Renderer
  /** The result. Resolves when there is room for more. */
  write(text: string): Promise<void>
  /** Asks in the terminal. Undefined without a terminal. Resolves to undefined without an answer. */
  ask?: ((question: string) => Promise<string | undefined>) | undefined
  /** Progress, and errors. */
  writeError(text: string): void
}

/** Asks in a terminal. True without one: the command itself says what is wanted. */
export async function isConfirmed({ ask }: CommandContext, question: string): Promise<boolean> {
  if (!ask) return true
  const answer = await ask(`${question} Type yes.`)
  return answer?.trim().toLowerCase() === 'yes'
}

/** The reason why a command failed, in one sentence for the owner. */
export class CommandError extends Error {}

/** The command line is invalid. */
export class UsageError extends CommandError {}

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
