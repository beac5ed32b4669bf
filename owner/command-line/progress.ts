import { progress } from '@clack/prompts'

export type Progress = ReturnType<typeof startProgress>

/** Shows how far a command is. Prints nothing without a terminal. */
export function startProgress(what: string, total: number) {
  const { stderr } = process // stdout is for the result
  const bar = stderr.isTTY ? progress({ max: total, output: stderr }) : undefined
  bar?.start(what)
  return { add: (steps: number) => bar?.advance(steps), end: () => bar?.stop(what) }
}
