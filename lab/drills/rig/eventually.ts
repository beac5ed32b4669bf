import { setTimeout as sleep } from 'node:timers/promises'

const lookEveryMs = 10
const patienceMs = 60_000

/** Resolves once `holds` says so; `what` it waited for stands in the error when it never does. */
export async function eventually(what: string, holds: () => boolean): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`Waited in vain: ${what}`)
    await sleep(lookEveryMs)
  }
}
