import { progress } from '@clack/prompts'
import type { CommandContext } from './command-context.ts'

export interface Progress {
  add(steps: number): void
  end(): void
}

/** Shows how far a command is. Prints nothing without a terminal. */
export function startProgress(
  { isTerminal }: Pick<CommandContext, 'isTerminal'>,
  what: string,
  total: number,
): Progress {
  if (!isTerminal) return { add() {}, end() {} }
  const bar = progress({ max: total, output: process.stderr }) // stdout is for the result
  bar.start(what)
  return { add: (steps) => bar.advance(steps), end: () => bar.stop(what) }
}
