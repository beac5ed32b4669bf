import type { StoredSite } from '#owner/acts/owned-database.ts'
import type { Condition } from './condition.ts'
import { judgeCounts } from './state/counts.ts'
import { judgeDiskSpace } from './state/disk.ts'
import { judgeMail } from './state/mail.ts'
import { judgeSettings } from './state/settings.ts'
import type { Situation } from './state/situation.ts'
import { judgeTexts } from './state/texts.ts'

/** Judges what can be read at once, and asks nobody outside. */
export async function readState(situation: Situation): Promise<Condition[]> {
  return [
    ...(await judgeWithoutDatabase(situation)),
    ...(await judgeMail(situation)),
    ...(await judgeCounts(situation)),
  ]
}

/** Judges as much as can be judged while the database does not answer. */
export async function judgeWithoutDatabase(site: StoredSite): Promise<Condition[]> {
  const { settings } = site
  return [
    ...judgeTexts(site),
    ...judgeSettings(settings),
    ...(await judgeDiskSpace(settings.config)),
  ]
}
