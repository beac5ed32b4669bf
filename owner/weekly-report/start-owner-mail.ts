import { setTimeout as sleep } from 'node:timers/promises'
import type { StuckMail } from '#server/deliveries/stuck-mail.ts'
import { sendAlarmIfDue } from './alarms.ts'
import { sendPostcardIfDue } from './postcard.ts'
import type { OwnerMailMeans } from './send-once.ts'

const lookEveryMs = 15 * 60_000

/** Looks now and every 15 minutes whether there is something to tell the owner, and whenever mail gets stuck or flows again. */
export function startOwnerMail(means: OwnerMailMeans) {
  let stuck: StuckMail | undefined
  let stopped = false
  let looking = Promise.resolve()
  /** One look after another: a second at the same time would find the first one's lease. */
  function look(): void {
    looking = looking.then(async () => {
      if (!stopped) await lookOnce(means, stuck)
    })
  }
  look()
  const timer = setInterval(look, lookEveryMs)
  timer.unref()
  return {
    /** Undefined: mail flows again. */
    noteStuckMail(now: StuckMail | undefined): void {
      stuck = now
      look()
    },
    /** Waits up to `graceMs` for what is being sent. */
    async stop(graceMs: number): Promise<void> {
      stopped = true
      clearInterval(timer)
      await Promise.race([looking, sleep(graceMs, undefined, { ref: false })])
    },
  }
}

/** `stuck`: what is known of mail that is stuck now. */
export async function lookOnce(means: OwnerMailMeans, stuck?: StuckMail): Promise<void> {
  try {
    await sendAlarmIfDue(means, stuck)
    await sendPostcardIfDue(means)
  } catch (cause) {
    means.log.warn('mail to the owner not looked after, trying again later', { cause })
  }
}
