import sql from 'sql-template-tag'
import type { Database } from '#server/database/database.ts'
import { mailingPriority, queueMail } from '#server/deliveries/deliveries.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { shortTemplate } from './queue-mails.ts'

export interface NewMailing {
  subscriber: number
  /** ms since 1970: when it is queued. */
  now: number
  audience?: 'consented' | 'everyone'
  /** Days after the consent, for a letter of the series. */
  afterDays?: number
}

/** Queues a mail of a mailing that is being sent, as owner/mailings does. */
export async function queueMailing(
  database: Database,
  { subscriber, now, audience = 'everyone', afterDays }: NewMailing,
): Promise<{ id: number; mailing: number }> {
  return database.transaction(async (transaction) => {
    const template = await keepTemplate(transaction, shortTemplate)
    const mailing = await transaction.insert(sql`
      insert into mailings (state, subject, words, audience, changed_at, template, starts_at,
        resumed_at, after_days)
      values ('sending', 'News', 'Words', ${audience}, ${now}, ${template}, ${now}, ${now},
        ${afterDays ?? null})`)
    await queueMail(transaction, {
      subscriber,
      mailing,
      template,
      senderDomain: 'mail.example',
      priority: mailingPriority,
      now,
    })
    const mail = await transaction.row<{ id: number }>(
      sql`select id from deliveries where mailing = ${mailing}`,
    )
    return { id: mail!.id, mailing }
  })
}

/** Queues a mail of it for each person on the list who has none yet. */
export async function queueForTheOthers(
  database: Database,
  { mailing, now }: { mailing: number; now: number },
): Promise<void> {
  await database.transaction((transaction) =>
    transaction.run(sql`
      insert into deliveries (subscriber, mailing, message_id, template, state, priority,
        due_at, queued_at)
      select s.id, m.id, s.address, m.template, 'queued', ${mailingPriority}, ${now}, ${now}
      from subscribers s, mailings m
      where m.id = ${mailing} and not exists (
        select 1 from deliveries d where d.mailing = m.id and d.subscriber = s.id)`),
  )
}
