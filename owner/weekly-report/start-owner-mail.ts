import { setTimeout as sleep } from 'node:timers/promises'
import type { MailTrouble } from '#server/deliveries/backlog.ts'
import { sendAlarmIfDue } from './alarms.ts'
import type { OwnerMailDeps } from './send-once.ts'
import { sendWeeklyReportIfDue } from './weekly-report.ts'

const checkEveryMs = 15 * 60_000

/** Checks at the start, every 15 minutes, and whenever mail gets into trouble or out of it, if the owner must be told. */
export function startOwnerMail(deps: OwnerMailDeps) {
  let trouble: MailTrouble | undefined
  let stopped = false
  let checking = Promise.resolve()
  /** Checks run one after another: two at the same time would compete for the lease. */
  function check(): void {
    checking = checking.then(async () => {
      if (!stopped) await checkOnce(deps, trouble)
    })
  }
  check()
  const timer = setInterval(check, checkEveryMs)
  timer.unref()
  return {
    /** Is undefined when mail flows again. */
    noteMailTrouble(now: MailTrouble | undefined): void {
      trouble = now
      check()
    },
    /** Waits up to `graceMs` for a mail that is being sent. */
    async stop(graceMs: number): Promise<void> {
      stopped = true
      clearInterval(timer)
      await Promise.race([checking, sleep(graceMs, undefined, { ref: false })])
    },
  }
}

export async function checkOnce(deps: OwnerMailDeps, trouble?: MailTrouble): Promise<void> {
  try {
    await sendAlarmIfDue(deps, trouble)
    await sendWeeklyReportIfDue(deps)
  } catch (cause) {
    deps.log.warn('cannot check for mail to the owner, trying again later', { cause })
  }
}
