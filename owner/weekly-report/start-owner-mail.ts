import { setTimeout as sleep } from 'node:timers/promises'
import type { MailTrouble } from '#server/deliveries/backlog.ts'
import { sendAlarmIfDue } from './alarms.ts'
import { sendPostcardIfDue } from './postcard.ts'
import type { OwnerMailMeans } from './send-once.ts'

const lookEveryMs = 15 * 60_000

/** Looks now and every 15 minutes whether there is something to tell the owner, and whenever mail gets stuck or late, or flows again. */
export function startOwnerMail(means: OwnerMailMeans) {
  let trouble: MailTrouble | undefined
  let stopped = false
  let looking = Promise.resolve()
  /** One look after another: a second at the same time would find the first one's lease. */
  function look(): void {
    looking = looking.then(async () => {
      if (!stopped) await lookOnce(means, trouble)
    })
  }
  look()
  const timer = setInterval(look, lookEveryMs)
  timer.unref()
  return {
    /** Undefined: mail flows again. */
    noteMailTrouble(now: MailTrouble | undefined): void {
      trouble = now
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

/** `trouble`: of mail, as it is now. */
export async function lookOnce(means: OwnerMailMeans, trouble?: MailTrouble): Promise<void> {
  try {
    await sendAlarmIfDue(means, trouble)
    await sendPostcardIfDue(means)
  } catch (cause) {
    means.log.warn('mail to the owner not looked after, trying again later', { cause })
  }
}
