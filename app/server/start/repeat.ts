import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'

const stopTimeoutMs = 1_000

/** Work that a server repeats until it stops. */
export interface Repeats {
  /**
   * Runs `work` once the server has begun, and then every `everyMs`. A run that is due while one
   * goes on is left out. A fault is logged.
   */
  add(name: string, everyMs: number, work: () => Promise<void>): void
  begin(): void
  /** Waits for the runs that have begun, for a second at most. */
  stop(): Promise<void>
}

export function createRepeats(log: Log): Repeats {
  const starts: (() => void)[] = []
  const timers: NodeJS.Timeout[] = []
  const running = new Map<string, Promise<void>>()

  return {
    add(name, everyMs, work) {
      const run = () => {
        if (running.has(name)) return
        const current = work()
          .catch((cause: unknown) => log.warn(`${name} failed, trying again later`, { cause }))
          .finally(() => running.delete(name))
        running.set(name, current)
      }
      starts.push(() => {
        run()
        timers.push(setInterval(run, everyMs).unref())
      })
    },
    begin() {
      for (const start of starts) start()
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.race([
        Promise.all(running.values()),
        sleep(stopTimeoutMs, undefined, { ref: false }),
      ])
    },
  }
}
