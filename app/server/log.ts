import { type LogLevel, logLevels } from './settings/config.ts'
import { Unavailable } from './database/database.ts'

type Write = (event: string, facts?: Record<string, unknown>) => void

/**
 * Writes one line of JSON per event, without addresses, tokens and messages of exceptions, which
 * may quote them.
 */
export interface Log {
  debug: Write
  info: Write
  warn: Write
  error: Write
}

const sameFaultAfterMs = 60_000
const maxKnownFaults = 100

/** Lines below `level` are not written. */
export function createLog(level: LogLevel, write: (line: string) => void): Log {
  const isRepeated = rememberFaults()
  const lowest = logLevels.indexOf(level)
  const writer = (name: LogLevel): Write => {
    if (logLevels.indexOf(name) < lowest) return () => {}
    return (event, facts = {}) => {
      if (facts['cause'] instanceof Error && isRepeated(event, facts['cause'])) return
      const line = { at: new Date().toISOString(), level: name, event, ...facts }
      write(`${JSON.stringify(line, withoutMessages)}\n`)
    }
  }
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
  }
}

/**
 * The same exception is written once a minute, and so is an outage of the database: every request
 * and every loop meets it.
 */
function rememberFaults(): (event: string, cause: Error) => boolean {
  const loggedAt = new Map<string, number>()
  return (event, cause) => {
    const isOutage = cause instanceof Unavailable
    const fault = isOutage ? 'outage' : event + JSON.stringify(withoutMessages('', cause))
    if (performance.now() - (loggedAt.get(fault) ?? -Infinity) < sameFaultAfterMs) return true
    if (loggedAt.size >= maxKnownFaults) loggedAt.clear()
    loggedAt.set(fault, performance.now())
    return false
  }
}

/** The message of an exception may quote what a visitor typed. Its code and place are enough. */
function withoutMessages(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const code = 'code' in value ? String(value.code) : undefined
  const stack = value.stack?.split('\n') ?? []
  // The lines of the message are in the stack as well. No path of ours has an @.
  const calls = stack.filter((line) => /^\s+at [^@]*:\d+:\d+\)?$/.test(line))
  return { name: value.name, code, at: calls.slice(0, 3).map((line) => line.trim()) }
}
