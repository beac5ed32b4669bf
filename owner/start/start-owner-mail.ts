import { ownerMailText } from '#content/owner-mail.ts'
import { fill } from '#site/text/fill.ts'
import { canSend } from '#server/settings/config.ts'
import { Unavailable } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'
import { timeText } from '#owner/acts/output.ts'
import { ownerMailMessage, type OwnerMail, type OwnerMailDeps } from '#owner/acts/send-once.ts'

const everyMs = 60_000

/** The parts of the server from which conditions are judged, and mail to the owner. */
type CheckDeps = OwnerMailDeps & Pick<ServerContext, 'settings' | 'site'>
const awayAfterMs = 5 * 60_000

/** Sends the reports and alarms that are due, once there is an owner and a way to reach them. */
export function startOwnerMail(
  context: Omit<CheckDeps, 'ownerEmail'> & Pick<ServerContext, 'repeat'>,
): void {
  const { settings, site, database, mailer, log, secret, now } = context
  const deps: CheckDeps = {
    settings,
    site,
    database,
    mailer,
    log,
    secret,
    now,
    get config() {
      return context.config
    },
    get ownerEmail() {
      return context.config.ownerEmail ?? ''
    },
  }
  const watch = watchDatabase(deps)
  context.repeat('mail to the owner', everyMs, async () => {
    const { config } = context
    if (config.ownerEmail !== undefined && canSend(config)) await watch(() => checkOnce(deps))
  })
}

export async function checkOnce(deps: CheckDeps): Promise<void> {
  // Their words and figures take up no memory before there is an owner.
  const { sendAlarms } = await import('#owner/conditions/alarms/alarms.ts')
  const { listConditions } = await import('#owner/conditions/list-conditions.ts')
  const { sendWeeklyReportIfDue } = await import('#owner/reports/weekly-report.ts')
  await sendAlarms(deps, await listConditions(deps))
  await sendWeeklyReportIfDue(deps)
}

/** Runs a check, which throws Unavailable if the database does not answer. */
type DatabaseWatch = (check: () => Promise<void>) => Promise<void>

/**
 * Mails the owner when the database has not answered for 5 minutes, and when it is back. Nothing
 * can be kept meanwhile.
 */
export function watchDatabase(deps: OwnerMailDeps): DatabaseWatch {
  const words = ownerMailText.alarm.database
  let away: { since: number; isTold: boolean } | undefined
  async function tell({ subject, paragraphs }: OwnerMail, since: number): Promise<boolean> {
    const values = { since: timeText(since) }
    const mail = { subject, paragraphs: paragraphs.map((paragraph) => fill(paragraph, values)) }
    const sending = await deps.mailer.send(ownerMailMessage(deps, `${subject} ${since}`, mail))
    return sending.kind === 'accepted' || sending.kind === 'refused'
  }
  return async (check: () => Promise<void>): Promise<void> => {
    try {
      await check()
      if (away?.isTold && !(await tell(words.back, away.since))) return
      away = undefined
    } catch (fault) {
      if (!(fault instanceof Unavailable)) throw fault
      away ??= { since: deps.now(), isTold: false }
      if (!away.isTold && deps.now() - away.since >= awayAfterMs) {
        away.isTold = await tell(words.away, away.since)
      }
      throw fault
    }
  }
}
