import { createHmac } from 'node:crypto'

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

type Write = (event: string, facts?: Record<string, unknown>) => void

export type Log = Record<LogLevel, Write> & {
  /** A pseudonym for an address: the same for the same address, and useless without the key. */
  who(address: string): string
}

/** Writes one line of JSON per event, without addresses, tokens and messages of exceptions, which may quote them. */
export function createLog(level: LogLevel, key: string, write: (lines: string) => void): Log {
  const lowest = logLevels.indexOf(level)
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

/** The message of an exception may quote what a visitor typed. Its code and place are enough. */
function withoutMessages(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const code = 'code' in value ? String(value.code) : undefined
  return {
    name: value.name,
    code,
    at: value.stack
      ?.split('\n')
      // The lines of the message are in the stack as well. No path of ours has an @.
      .filter((line) => /^\s+at [^@]*:\d+:\d+\)?$/.test(line))
      .slice(0, 3)
      .map((line) => line.trim()),
  }
}
