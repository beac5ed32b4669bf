/**
 * True if the database refused a row, so that others of its group may still be stored. SQLite: result code 19, 20 or 25
 * (sqlite.org/rescode.html). PostgreSQL: class 22 or 23, or 40, a transaction rolled back to end a deadlock.
 */
export function isRowFault(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false
  if ('errcode' in fault && typeof fault.errcode === 'number')
    return [19, 20, 25].includes(fault.errcode & 0xff)
  return 'code' in fault && typeof fault.code === 'string' && /^(?:22|23|40)...$/.test(fault.code)
}

const answerTimeoutMs = 2_000

/**
 * Rejects as if the database were away if it does not answer in time. For reads only: the query goes on under the
 * driver's longer limit, so a write may still commit.
 */
export async function answerInTime<Result>(
  asked: Promise<Result>,
  timeoutMs = answerTimeoutMs,
): Promise<Result> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const fault = Object.assign(new Error('The database does not answer'), { code: 'ETIMEDOUT' })
  const timer = setTimeout(reject, timeoutMs, fault)
  try {
    return await Promise.race([asked, timeout])
  } finally {
    clearTimeout(timer)
  }
}
