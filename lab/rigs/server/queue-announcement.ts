import sql from 'sql-template-tag'
import type { Database } from '#server/database/database.ts'
import { announcementPriority, queueMail } from '#server/deliveries/deliveries.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { shortTemplate } from './queue-mails.ts'

export interface NewAnnouncement {
  subscriber: number
  /** ms since 1970: when it is queued. */
  now: number
  kind?: 'version' | 'letter' | 'series'
  audience?: 'consented' | 'everyone'
  /** Days after the consent, for a letter of the series. */
  afterDays?: number
}

let announcements = 0

/** Queues a mail of an announcement that runs, as owner/mailings does. */
export async function queueAnnouncement(
  database: Database,
  { subscriber, now, kind = 'version', audience = 'everyone', afterDays }: NewAnnouncement,
): Promise<{ id: number; announcement: number }> {
  announcements += 1
  const name = `announcement ${announcements}`
  return database.transaction(async (transaction) => {
    const template = await keepTemplate(transaction, shortTemplate)
    const announcement = await transaction.insert(sql`
      insert into announcements (name, kind, audience, state, template, signed_up_before, starts_at,
        resumed_at, after_days)
      values (${name}, ${kind}, ${audience}, 'running', ${template}, ${now}, ${now}, ${now},
        ${afterDays ?? null})`)
    await queueMail(transaction, {
      subscriber,
      announcement,
      template,
      senderDomain: 'mail.example',
      priority: announcementPriority,
      now,
    })
    const mail = await transaction.row<{ id: number }>(
      sql`select id from deliveries where announcement = ${announcement}`,
    )
    return { id: mail!.id, announcement }
  })
}

/** Queues a mail of it for each person on the list who has none yet. */
export async function queueForTheOthers(
  database: Database,
  { announcement, now }: { announcement: number; now: number },
): Promise<void> {
  await database.transaction((transaction) =>
    transaction.run(sql`
      insert into deliveries (subscriber, announcement, message_id, template, state, priority,
        due_at, waits_since, queued_at)
      select s.id, a.id, s.address, a.template, 'queued', ${announcementPriority}, ${now}, ${now},
        ${now}
      from subscribers s, announcements a
      where a.id = ${announcement} and not exists (
        select 1 from deliveries d where d.announcement = a.id and d.subscriber = s.id)`),
  )
}
