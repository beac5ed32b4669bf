import type { Config } from '../settings/config.ts'
import { Unavailable } from '../database/database.ts'
import { NewerDatabase } from '../database/open-database.ts'
import { LostPage } from '../site/load-site.ts'

/**
 * A fault of the environment (a port in use, no database, a read-only folder) as one sentence.
 * Anything else is a bug: it is thrown again and keeps its stack trace.
 */
export function explainFault(
  fault: unknown,
  { host, port }: Pick<Config, 'host' | 'port'>,
): string {
  if (fault instanceof Unavailable) return `The database: ${sentenceOf(fault.cause ?? fault)}`
  if (fault instanceof NewerDatabase || fault instanceof LostPage) return fault.message
  if (!(fault instanceof Error && 'code' in fault)) throw fault
  if (fault.code === 'EADDRINUSE') {
    return `Another program listens on port ${port}. Stop it, or set PORT to another one`
  }
  if (fault.code === 'ENOTFOUND' || fault.code === 'EAI_AGAIN') {
    return `${host} has no address on this machine. Set HOST to an address, such as 127.0.0.1`
  }
  return sentenceOf(fault)
}

/** A refused connection has a code and no message. */
function sentenceOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault)
  return fault.message || ('code' in fault ? String(fault.code) : fault.name)
}
