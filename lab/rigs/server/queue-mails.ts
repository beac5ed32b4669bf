import sql from 'sql-template-tag'
import type { Database } from '#server/database/database.ts'
import { mailingPriority, type Priority, queueMail } from '#server/deliveries/deliveries.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { addPeople } from './people.ts'
import { noon } from './test-clock.ts'

export const shortTemplate = {
  subject: 'Your starter bot',
  html: '<p>{address}</p>',
  text: '{address} {scriptUrl} {guideUrl} {unsubscribeUrl}',
}

/** As the settings of a test app have it. */
export const sender = {
  mailFrom: { name: 'Bot', address: 'bot@mail.example' },
  supportEmail: 'help@mail.example',
  publicUrl: 'https://bot.example',
}

/**
 * Puts people on the list who are not yet there, and queues a mail to each. Returns their numbers.
 */
export async function queueMails(
  database: Database,
  addresses: readonly string[],
  { now = noon, priority = 0 }: { now?: number; priority?: Priority } = {},
): Promise<number[]> {
  const ids = await addPeople(database, addresses, { at: now })
  await database.transaction(async (transaction) => {
    const template = await keepTemplate(transaction, shortTemplate)
    const mail = { template, senderDomain: 'mail.example', priority, now }
    for (const subscriber of ids) await queueMail(transaction, { subscriber, ...mail })
  })
  return ids
}

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
