/**
 * Whether a database refused what it was asked to store (so a neighbour may still be stored), and not to work at all.
 * SQLite: result code 19, 20 or 25 (sqlite.org/rescode.html). PostgreSQL: class 22 or 23, or a circle of waits broken (40).
 */
export function isRowFault(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false
  if ('errcode' in fault && typeof fault.errcode === 'number')
    return [19, 20, 25].includes(fault.errcode & 0xff)
  return 'code' in fault && typeof fault.code === 'string' && /^(?:22|23|40)...$/.test(fault.code)
}

/** Too many requests wait for the database already, or it does not answer; the caller is asked to come back. */
export class Overloaded extends Error {}

/** Whether it was the database that failed, and not our own code: it may work again in a moment. */
export function isDatabaseFault(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false
  if (
    fault instanceof Overloaded ||
    fault.constructor.name === 'DatabaseError' ||
    /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable/.test(
      fault.message,
    )
  )
    return true
  if (!('code' in fault) || typeof fault.code !== 'string') return false
  const isOfItsSocket =
    'syscall' in fault && /^(?:connect|getaddrinfo|read|write)$/.test(String(fault.syscall))
  return isOfItsSocket || /^(?:ERR_SQLITE|ECONN|ETIMEDOUT|EPIPE)/.test(fault.code)
}
