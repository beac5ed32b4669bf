import { createHmac } from 'node:crypto'

const levels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof levels)[number]
export { levels as logLevels }

type Write = (event: string, facts?: Record<string, unknown>) => void

export type Log = Record<LogLevel, Write> & {
  /** What stands for an address in a line: the same for the same address, and of no use without the key. */
  who(address: string): string
}

/** One line of JSON per event. Addresses and tokens never go in: `who` stands for them, and of a fault only its name and code. */
export function createLog(level: LogLevel, key: string, write: (lines: string) => void): Log {
  const lowest = levels.indexOf(level)
  let lines = ''
  const flush = () => {
    const ready = lines
    lines = ''
    write(ready)
  }
  const writer = (name: LogLevel, rank: number): Write => {
    if (rank < lowest) return () => {}
    return (event, facts = {}) => {
      if (lines === '') setImmediate(flush)
      lines += `${JSON.stringify({ at: new Date().toISOString(), level: name, event, ...facts }, withoutMessages)}\n`
    }
  }
  return {
    debug: writer('debug', 0),
    info: writer('info', 1),
    warn: writer('warn', 2),
    error: writer('error', 3),
    who: (address) =>
      createHmac('sha256', key).update(address.toLowerCase()).digest('base64url').slice(0, 12),
  }
}

/** A fault's message may quote what a visitor typed; where it happened and its code say enough. */
function withoutMessages(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const code = 'code' in value ? String(value.code) : undefined
  return {
    name: value.name,
    code,
    at: value.stack
      ?.split('\n')
      // The message's own lines stand in the stack too; none of ours has an @.
      .filter((line) => /^\s+at [^@]*:\d+:\d+\)?$/.test(line))
      .slice(0, 3)
      .map((line) => line.trim()),
  }
}
