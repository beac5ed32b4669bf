import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Does `work`, which never throws, every `everyMs`, one run after the other. A run that is due while another waits its turn
 * is left out.
 */
export function repeat(everyMs: number, work: () => Promise<void>) {
  let running = Promise.resolve()
  let isWaiting = false
  function run(): void {
    if (isWaiting) return
    isWaiting = true
    running = running.then(() => {
      isWaiting = false
      return work()
    })
  }
  const timer = setInterval(run, everyMs).unref()
  return {
    /** Starts another run now. */
    run,
    /** Waits up to `graceMs` for a run that has begun or waits. */
    async stop(graceMs: number): Promise<void> {
      clearInterval(timer)
      await Promise.race([running, sleep(graceMs, undefined, { ref: false })])
    },
  }
}
