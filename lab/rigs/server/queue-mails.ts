import type { Connection } from '#server/database/database.ts'
import { enqueue } from '#server/deliveries/deliveries.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { enrol } from '#server/subscribers/subscribers.ts'

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
  const owed = enrolled.map(({ id }) => ({ subscriber: id, message_id: `<${id}@b.co>`, lane: 0 as const }))
  await enqueue(connection, owed, template, now + dueInMs)
  return enrolled.map(({ id }) => id)
}
