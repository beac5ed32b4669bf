import { Unavailable } from './database/database.ts'

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

type Write = (event: string, facts?: Record<string, unknown>) => void

export type Log = Record<LogLevel, Write>

const sameFaultAfterMs = 60_000
const maxKnownFaults = 100

/**
 * Writes one line of JSON per event, without addresses, tokens and messages of exceptions, which
 * may quote them. The same exception is written once a minute, and so is an outage of the database:
 * every request and every loop meets it.
 */
export function createLog(level: LogLevel, write: (line: string) => void): Log {
  const lowest = logLevels.indexOf(level)
  const loggedAt = new Map<string, number>()
  const isKnown = (event: string, cause: unknown) => {
    const fault =
      cause instanceof Unavailable ? 'outage' : event + JSON.stringify(withoutMessages('', cause))
    if (performance.now() - (loggedAt.get(fault) ?? -Infinity) < sameFaultAfterMs) return true
    if (loggedAt.size >= maxKnownFaults) loggedAt.clear()
    loggedAt.set(fault, performance.now())
    return false
  }
  const writer = (name: LogLevel): Write => {
    if (logLevels.indexOf(name) < lowest) return () => {}
    return (event, facts = {}) => {
      if (facts['cause'] instanceof Error && isKnown(event, facts['cause'])) return
      write(
        `${JSON.stringify({ at: new Date().toISOString(), level: name, event, ...facts }, withoutMessages)}\n`,
      )
    }
  }
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
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
