import type { CommandContext } from './command-context.ts'

const barWidth = 24

/** One line that is overwritten. Prints nothing without a terminal. */
export function startProgress(
  { isTerminal, writeError }: Pick<CommandContext, 'isTerminal' | 'writeError'>,
  what: string,
  total: number,
) {
  if (!isTerminal) return { add(_step: number) {}, end() {} }
  let done = 0
  return {
    add(step: number) {
      done += step
      // More rows can arrive after they were counted.
      const part = Math.min(1, done / total)
      const bar = '#'.repeat(Math.floor(part * barWidth)).padEnd(barWidth, '.')
      writeError(`\r${what} [${bar}] ${String(Math.floor(part * 100)).padStart(3)} %  ${done} of ${total}`)
    },
    end() {
      if (done > 0) writeError('\n')
    },
  }
}
