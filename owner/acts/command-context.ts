import type { Environment } from '#server/settings/config.ts'
import type { Renderer } from '#server/site/renderer-client.ts'

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
  /** The project's, with dist/ in it. */
  folder: string
  /** ms since 1970. */
  now: () => number
  /** Replaces node:dns. */
  dns?: DnsLookUps
  /** Replaces the ms that a check waits for an answer from outside. */
  answerMs?: number
  /** Replaces the process in which pages are rendered. */
  renderer?: Renderer
  /** The result. Resolves when there is room for more. */
  write(text: string): Promise<void>
  /**
   * Asks in the terminal. Undefined without a terminal. Resolves to undefined without an answer.
   */
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
