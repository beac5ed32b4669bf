import sql from 'sql-template-tag'
import { parseEmailAddress } from '#contract/email-address.ts'
import type { Database } from '#server/database/database.ts'
import { type Priority, queueMail } from '#server/deliveries/deliveries.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { addSubscriber } from '#server/subscribers/subscribers.ts'
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
export function queueMails(
  database: Database,
  addresses: readonly string[],
  { now = noon, priority = 0 }: { now?: number; priority?: Priority } = {},
): Promise<number[]> {
  return database.transaction(async (transaction) => {
    const template = await keepTemplate(transaction, shortTemplate)
    const ids: number[] = []
    for (const typed of addresses) {
      const added = parseEmailAddress(typed)!
      const known = await transaction.row<{ id: number }>(
        sql`select id from subscribers where identity = ${added.identity}`,
      )
      const subscriber = known?.id ?? (await addSubscriber(transaction, added, now))
      await queueMail(transaction, {
        subscriber,
        template,
        senderDomain: 'mail.example',
        priority,
        now,
      })
      ids.push(subscriber)
    }
    return ids
  })
}
