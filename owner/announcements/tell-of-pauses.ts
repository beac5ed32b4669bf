import { ownerMailText } from '#content/owner-mail.ts'
import { settingPrefixes } from '#server/database/setting-names.ts'
import { type OwnerMailDeps, readKept, sendOnce } from '../weekly-report/send-once.ts'

/** Mails the owner once about each automatic pause, and tries again if the relay did not take that mail. */
export async function tellOfPauses(deps: OwnerMailDeps): Promise<void> {
  const { database, now } = deps
  const paused = await database.query
    .selectFrom('announcements')
    .select(['version', 'paused_why', 'paused_at'])
    .where('state', '=', 'paused')
    .where('paused_why', 'is not', null)
    .execute()
  for (const { version, paused_why: why, paused_at: pausedAt } of paused) {
    const kept = await readKept(database, `${settingPrefixes.announcement}${version}`, 0)
    if (kept.state === pausedAt || kept.leaseUntil > now()) continue
    const mail = ownerMailText.announcementPaused(version, why ?? '')
    await sendOnce(deps, kept, { key: String(pausedAt), mail, before: kept.state, after: pausedAt ?? 0 })
  }
}
