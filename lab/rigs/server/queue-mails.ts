import type { Database } from '#server/database/database.ts'
import { type Priority, queueMail } from '#server/deliveries/deliveries.ts'
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
