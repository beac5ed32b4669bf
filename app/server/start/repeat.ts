import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'

const stopTimeoutMs = 1_000
const hourMs = 60 * 60_000

/** Work that a server repeats until it stops. */
export interface Repeats {
  /**
   * Runs `work` once the server has begun, and then every `everyMs`. A run that is due while one
   * goes on is left out. A fault is logged.
   */
  add(name: string, everyMs: number, work: () => Promise<void>): void
  /** Adds work that deletes by age, which waits until the process has run for an hour. */
  addDeleting(name: string, everyMs: number, work: () => Promise<void>): void
  begin(): void
  /** Waits for the runs that have begun, for a second at most. */
  stop(): Promise<void>
}

/** `uptimeMs`: of this process, which no clock changes. */
export function createRepeats(log: Log, uptimeMs = () => performance.now()): Repeats {
  const starts: (() => void)[] = []
  const timers: NodeJS.Timeout[] = []
  const running = new Map<string, Promise<void>>()

  function add(name: string, everyMs: number, work: () => Promise<void>): void {
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
  }

  return {
    add,
    addDeleting(name, everyMs, work) {
      add(name, everyMs, async () => {
        if (uptimeMs() >= hourMs) await work()
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
