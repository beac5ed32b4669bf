import type { Config } from '#server/config.ts'
import type { Environment } from '#server/environment-reader.ts'

/** The world outside a command, so that a test can stand in for it. */
export interface Outside {
  environment: Environment
  /** ms since 1970. */
  now: () => number
  /** Whether a line may be written over. */
  isTerminal: boolean
  /** The result. Resolves when there is room for more. */
  write(text: string): Promise<void>
  /** Progress and faults. */
  writeAside(text: string): void
}

export interface Call extends Outside {
  config: Config
  /** In the order of `takes`. */
  words: string[]
  options: Readonly<Record<string, string | boolean | undefined>>
}

export interface Command {
  /** One word or two. */
  name: string
  /** What must follow, in capitals; in square brackets what may. */
  takes: string[]
  /** For the help, without a full stop. */
  does: string
  /** Besides --help. A string option takes a value, whose name is the help's. */
  options?: Record<string, 'boolean' | { value: string }>
  run(call: Call): Promise<void>
}

/** What the owner asked for cannot be done, and why, in one sentence. */
export class Refusal extends Error {}
