import type { Connection } from '#server/database/database.ts'
import { enqueue } from '#server/deliveries/deliveries.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { enrol, enrolAgain } from '#server/subscribers/subscribers.ts'

export const shortTemplate = {
  subject: 'Your starter bot',
  html: '<p>{{address}}</p>',
  text: '{{address}} {{scriptUrl}} {{unsubscribeUrl}}',
  from: 'bot@mail.example',
  replyTo: 'help@mail.example',
  publicUrl: 'https://bot.example',
}

/** Puts people on the list and queues a mail to each. Returns their numbers. */
export async function queueMails(
  connection: Connection,
  addresses: readonly string[],
  { now = Date.now(), dueInMs = 0 } = {},
): Promise<number[]> {
  const template = await keepTemplate(connection, shortTemplate)
  const newcomers = addresses.map(newcomer)
  const enrolled = await enrol(connection, newcomers, now)
  const again = await enrolAgain(connection, newcomers, now)
  const ids = [...enrolled, ...again].map(({ id }) => id)
  await enqueue(connection, ids, { template, senderDomain: 'b.co', now: now + dueInMs })
  return ids
}

/** Returns what a sign-up of the address enrols. */
export function newcomer(address: string) {
  return { identity: address.toLowerCase(), address, abuse_key: null }
}
