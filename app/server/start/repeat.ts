import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'

const stopTimeoutMs = 1_000

/** Work that a server repeats until it stops. */
export function createRepeats(log: Log) {
  const timers: NodeJS.Timeout[] = []
  const running = new Map<string, Promise<void>>()
  return {
    /** Runs `work` now and every `everyMs`. A run that is due while one goes on is left out. */
    start(name: string, everyMs: number, work: () => Promise<void>): void {
      const run = () => {
        if (running.has(name)) return
        const current = work()
          .catch((cause: unknown) => log.warn(`${name} failed, trying again later`, { cause }))
          .finally(() => running.delete(name))
        running.set(name, current)
      }
      run()
      timers.push(setInterval(run, everyMs).unref())
    },
    /** Waits for the runs that have begun, for a second at most. */
    async stop(): Promise<void> {
      for (const timer of timers) clearInterval(timer)
      await Promise.race([
        Promise.all(running.values()),
        sleep(stopTimeoutMs, undefined, { ref: false }),
      ])
    },
  }
}
