import { defaultContent } from '#content/content.ts'
import type { Sql } from 'sql-template-tag'
import { listConditions } from '#owner/conditions/list-conditions.ts'
import { checkOnce } from '#owner/start/start-owner-mail.ts'
import type { SiteHolder } from '#server/site/served-site.ts'
import { type SettingsHolder, settingsWithoutDatabase } from '#server/settings/site-settings.ts'
import { addDailyCounts, type CountedEvent } from '#server/statistics/daily-counts.ts'
import { makeMailingList } from './mailing-list.ts'

export const ownerEmail = 'owner@example.org'
/** After 07:00 UTC, in ms since 1970. */
export const monday = Date.UTC(2026, 0, 12, 7)

/** A list, and the mail to its owner. */
export async function ownersList({ isReportSent = false, firstDay = '2025-12-01' } = {}) {
  const list = await makeMailingList({ MAIL_TIMEOUT_SECONDS: '30' }, monday)
  const deps = {
    ...list.context,
    ownerEmail,
    settings: { current: settingsWithoutDatabase(list.context.config) } as SettingsHolder, // the part that it reads
    site: { current: { content: defaultContent } } as SiteHolder, // the part that it reads
  }
  const { database, mailer } = list
  const count = (day: string, event: CountedEvent, many: number, detail = '') =>
    database.transaction((transaction) =>
      addDailyCounts(transaction, [{ day, event, detail, count: many }]),
    )
  await count(firstDay, 'delivered', 1)
  if (isReportSent) {
    await checkOnce(deps)
    mailer.attempts.splice(0)
  }
  return {
    ...list,
    deps,
    check: () => checkOnce(deps),
    run: (query: Sql) => database.transaction((transaction) => transaction.run(query)),
    errors: async () => (await listConditions(deps)).filter(({ severity }) => severity === 'error'),
    subjects: () => mailer.attempts.map(({ message }) => message.subject),
    texts: () => mailer.attempts.map(({ message }) => message.text),
    count,
  }
}
