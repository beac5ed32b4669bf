import type { Database, Reader } from '#server/database/database.ts'
import { readSetting, writeSetting } from '#server/database/settings.ts'
import type { Condition } from '../condition.ts'

/** A condition that is not fine. It is kept until the owner was told of its end. */
export interface OpenCondition {
  id: string
  what: string
  /** True for an error, of which the owner is told by mail. */
  isError: boolean
  /** ms since 1970. */
  since: number
  /** The last look, in ms since 1970. */
  seenAt: number
}

const setting = 'open-conditions'

/** Returns since when each open condition is known, in ms since 1970, by its id. */
export async function readSince(reader: Reader): Promise<ReadonlyMap<string, number>> {
  return new Map((await readOpen(reader)).map(({ id, since }) => [id, since]))
}

async function readOpen(reader: Reader): Promise<OpenCondition[]> {
  return JSON.parse((await readSetting(reader, setting)) ?? '[]') // as keepOpen wrote it
}

/** Keeps what is open now beside what was. One that cannot be checked now stays as it was. */
export function keepOpen(
  database: Database,
  conditions: readonly Condition[],
  now: number,
): Promise<OpenCondition[]> {
  return database.transaction(async (transaction) => {
    await transaction.lock(setting)
    const known = new Map((await readOpen(transaction)).map((one) => [one.id, one]))
    for (const { id, severity, what, since = now } of conditions) {
      const before = known.get(id)
      if (severity === 'not-checked' && before) known.set(id, { ...before, seenAt: now })
      if (severity === 'fine' || severity === 'not-checked') continue
      const isError = severity === 'error'
      const isSame = before?.isError === isError
      known.set(id, { id, what, isError, since: isSame ? before.since : since, seenAt: now })
    }
    const open = [...known.values()]
    await writeSetting(transaction, setting, JSON.stringify(open))
    return open
  })
}

/** Forgets conditions that are over. */
export function forgetOver(database: Database, over: readonly OpenCondition[]): Promise<void> {
  return database.transaction(async (transaction) => {
    await transaction.lock(setting)
    const ids = new Set(over.map(({ id }) => id))
    const left = (await readOpen(transaction)).filter(({ id }) => !ids.has(id))
    await writeSetting(transaction, setting, JSON.stringify(left))
  })
}
