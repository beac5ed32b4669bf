import { progress } from '@clack/prompts'

export interface Progress {
  add(steps: number): void
  end(): void
}

/** Shows how far a command is. Prints nothing without a terminal. */
export function startProgress(what: string, total: number): Progress {
  const { stderr } = process // stdout is for the result
  const bar = stderr.isTTY ? progress({ max: total, output: stderr }) : undefined
  bar?.start(what)
  return { add: (steps) => bar?.advance(steps), end: () => bar?.stop(what) }
}
