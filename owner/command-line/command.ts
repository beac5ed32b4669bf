import type { Config, Environment } from '#server/config.ts'

/** The world outside a command, so that a test can stand in for it. */
export interface Outside {
  environment: Environment
  /** The project's: content/ and dist/ are in it. */
  folder: string
  /** ms since 1970. */
  now: () => number
  /** The TXT records of a name, each in its pieces. Rejects as node:dns does: ENODATA, ENOTFOUND, ETIMEOUT, … */
  resolveTxt(name: string): Promise<string[][]>
  /** Whether a line may be written over. */
  isTerminal: boolean
  /** Whether the result may be coloured. */
  hasColours: boolean
  /** The result. Resolves when there is room for more. */
  write(text: string): Promise<void>
  /** Progress and faults. */
  writeAside(text: string): void
}

/** What was asked for. */
export interface Request extends Outside {
  /** In the order of `takes`. */
  words: string[]
  options: Readonly<Record<string, string | boolean | undefined>>
}

export interface Call extends Request {
  config: Config
}

export interface Option {
  /** What it takes, in capitals. */
  value?: string
  /** For the help, without a full stop. */
  does: string
}

export const jsonOption: Option = { does: 'prints JSON, for other programs' }

interface Described {
  /** One word or two. */
  name: string
  /** What must follow, in capitals; in square brackets what may. */
  takes: string[]
  /** For the help, without a full stop. */
  does: string
  /** Besides --help. */
  options?: Record<string, Option>
  /** For the help: what follows `npm run owner --`. */
  example: string
  /** For the help, where 0 and 1 mean something of its own. */
  exitCodes?: string
}

export type Command = Described &
  (
    | { run(call: Call): Promise<void> }
    /** Runs with a faulty configuration too, and reads it by itself. Resolves to the exit code. */
    | { runAnyway(request: Request): Promise<number> }
  )

/** What the owner asked for cannot be done, and why, in one sentence. */
export class Refusal extends Error {}

/** A word was given that cannot be read as what is wanted there. */
export class Misread extends Refusal {}
