import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves once `holds` is true. If it never is, the error names `what` it waited for. */
export async function eventually(
  what: string | (() => string),
  holds: () => boolean | Promise<boolean>,
  withinMs = 100_000,
): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await holds())) {
    if (Date.now() > deadline) {
      throw new Error(`Timed out waiting for: ${typeof what === 'string' ? what : what()}`)
    }
    await sleep(10)
  }
}
