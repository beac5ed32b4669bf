import type { MailTrouble } from '#server/deliveries/backlog.ts'
import { repeat } from '#server/start/repeat.ts'
import { sendAlarmIfDue } from './alarms.ts'
import type { OwnerMailDeps } from './send-once.ts'
import { sendWeeklyReportIfDue } from './weekly-report.ts'

const checkEveryMs = 15 * 60_000

/** Sends due reports and alarms: at the start, every 15 minutes, and when mail gets stuck or late or flows again. */
export function startOwnerMail(deps: OwnerMailDeps) {
  let trouble: MailTrouble | undefined
  // One after another: two checks at the same time would compete for the lease.
  const checks = repeat(checkEveryMs, () => checkOnce(deps, trouble))
  checks.run()
  return {
    /** Is undefined when mail flows again. */
    reportMailTrouble(now: MailTrouble | undefined): void {
      trouble = now
      checks.run()
    },
    /** Waits for a mail that is being sent. */
    stop: checks.stop,
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
