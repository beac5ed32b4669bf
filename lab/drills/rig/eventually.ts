import { setTimeout as sleep } from 'node:timers/promises'

const lookEveryMs = 10
const patienceMs = 60_000

/** Resolves once `holds` is true. If it never is, the error names `what` it waited for. */
export async function eventually(what: string, holds: () => boolean): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`Timed out waiting for: ${what}`)
    await sleep(lookEveryMs)
  }
}
