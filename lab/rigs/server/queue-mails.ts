import type { Connection } from '#server/database/database.ts'
import { enqueue } from '#server/deliveries/deliveries.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { enrol, enrolAgain } from '#server/subscribers/subscribers.ts'

/** For tests that do not look at the mail. */
export const shortTemplate = {
  subject: 's',
  html: 'h',
  text: 't',
  from: 'a@b.co',
  replyTo: 'a@b.co',
  publicUrl: 'https://b.co',
}

/** Puts people on the list and owes each a mail. Returns their numbers. */
export async function queueMails(
  connection: Connection,
  addresses: readonly string[],
  { now = Date.now(), dueInMs = 0 } = {},
): Promise<number[]> {
  const template = await keepTemplate(connection, shortTemplate)
  const newcomers = addresses.map((address) => ({
    identity: address.toLowerCase(),
    address,
    abuse_key: null,
  }))
  const enrolled = await enrol(connection, newcomers, now)
  const again = await enrolAgain(connection, newcomers, now)
  const ids = [...enrolled, ...again].map(({ id }) => id)
  await enqueue(connection, ids, { template, messageIdDomain: 'b.co', now: now + dueInMs })
  return ids
}
