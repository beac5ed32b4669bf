import { ownerMailText } from '#content/owner-mail.ts'
import { settingPrefixes } from '#server/database/setting-names.ts'
import type { ExtensionContext } from '#server/start/extension.ts'
import { readKept, sendOnce } from '../weekly-report/send-once.ts'

/** Mails the owner once about each automatic pause, and again if the relay did not take that mail. */
export async function tellOfPauses(context: ExtensionContext): Promise<void> {
  const { database, config, now } = context
  const { ownerEmail, mailFrom: from, mailTimeoutSeconds, finalReplySeconds } = config
  if (ownerEmail === undefined) return
  const paused = await database.query
    .selectFrom('announcements')
    .select(['version', 'paused_why', 'paused_at'])
    .where('state', '=', 'paused')
    .where('paused_why', 'is not', null)
    .execute()
  const leaseMs = (mailTimeoutSeconds + finalReplySeconds + 60) * 1000
  for (const { version, paused_why: why, paused_at: pausedAt } of paused) {
    const kept = await readKept(database, `${settingPrefixes.announcement}${version}`, 0)
    if (kept.state === pausedAt || kept.leaseUntil > now()) continue
    const mail = ownerMailText.announcementPaused(version, why ?? '')
    const told = { key: String(pausedAt), mail, before: kept.state, after: pausedAt ?? 0 }
    await sendOnce({ ...context, from, ownerEmail, leaseMs }, kept, told)
  }
}
