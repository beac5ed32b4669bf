import { pino } from 'pino'
import type { LogLevel } from './settings/config.ts'
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
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      formatters: { level: (name) => ({ level: name }), log: withoutMessages },
    },
    { write },
  )
  const writer = (name: LogLevel): Write => {
    return (event, facts = {}) => {
      if (facts['cause'] instanceof Error && isRepeated(event, facts['cause'])) return
      logger[name]({ event, ...facts })
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
    const fault = isOutage ? 'outage' : event + JSON.stringify(described(cause))
    if (performance.now() - (loggedAt.get(fault) ?? -Infinity) < sameFaultAfterMs) return true
    if (loggedAt.size >= maxKnownFaults) loggedAt.clear()
    loggedAt.set(fault, performance.now())
    return false
  }
}

function withoutMessages(facts: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(facts).map(([name, value]) => [
    name,
    value instanceof Error ? described(value) : value,
  ])
  return Object.fromEntries(entries)
}

/** The message of an exception may quote what a visitor typed. Its code and place are enough. */
function described(fault: Error) {
  const code = 'code' in fault ? String(fault.code) : undefined
  const stack = fault.stack?.split('\n') ?? []
  // The lines of the message are in the stack as well. No path of ours has an @.
  const calls = stack.filter((line) => /^\s+at [^@]*:\d+:\d+\)?$/.test(line))
  return { name: fault.name, code, at: calls.slice(0, 3).map((line) => line.trim()) }
}
