import type { Outside } from './command.ts'

export interface Progress {
  add(step: number): void
  end(): void
}

const barWidth = 24

/** One line that is written over, on a terminal; elsewhere nothing. */
export function startProgress(
  { isTerminal, writeAside }: Pick<Outside, 'isTerminal' | 'writeAside'>,
  what: string,
  all: number,
): Progress {
  if (!isTerminal) return { add() {}, end() {} }
  let done = 0
  return {
    add(step) {
      done += step
      // Rows that came since they were counted.
      const part = Math.min(1, done / all)
      const bar = '#'.repeat(Math.floor(part * barWidth)).padEnd(barWidth, '.')
      writeAside(`\r${what} [${bar}] ${String(Math.floor(part * 100)).padStart(3)} %  ${done} of ${all}`)
    },
    end() {
      if (done > 0) writeAside('\n')
    },
  }
}
