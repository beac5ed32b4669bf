import type { Environment } from '#server/configuration/config.ts'

/** Everything outside of a command. Tests replace it. */
export interface CommandContext {
  environment: Environment
  /** The project's, with content/ and dist/ in it. */
  folder: string
  /** ms since 1970. */
  now: () => number
  /** The TXT records of a name, each in its pieces. Rejects as node:dns does: ENODATA, ENOTFOUND, ETIMEOUT, … */
  resolveTxt(name: string): Promise<string[][]>
  /** Progress can overwrite its own line. */
  isTerminal?: boolean
  /** The result. Resolves when there is room for more. */
  write(text: string): Promise<void>
  /** Asks in the terminal. Undefined without a terminal. Resolves to undefined after Ctrl C. */
  ask?: ((prompt: Prompt) => Promise<string | undefined>) | undefined
  /** Progress, and errors. */
  writeError(text: string): void
}

export interface Prompt {
  text: string
  example: string
  /** The answer is not shown while it is typed. */
  isSecret?: boolean | undefined
  suggestion?: string | undefined
  /** Returns what is wrong with an answer, or undefined. */
  faultOf?(answer: string): string | undefined
}

/** Asks in a terminal. True without one: the command itself says what is wanted. */
export async function isConfirmed({ ask }: CommandContext, question: string): Promise<boolean> {
  if (!ask) return true
  return (await ask({ text: `${question} Type yes.`, example: 'yes' }))?.trim().toLowerCase() === 'yes'
}

/** The reason why a command failed, in one sentence for the owner. */
export class CommandError extends Error {}

/** The command line is invalid. */
export class UsageError extends CommandError {}
