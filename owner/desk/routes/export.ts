import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { exportSubscribers, toolNames } from '../../subscribers/export-subscribers.ts'
import { recordAct } from '../access/audit.ts'
import type { DeskContext } from '../call.ts'
import { filterOf, peoplePicks } from './people.ts'

export const exportWish = peoplePicks.extend({
  tool: z.enum(['csv', ...toolNames]),
  consentedOnly: z.boolean(),
})

/** Sends a CSV file as fast as the browser reads it. If the database fails in the middle, the download fails. */
export async function sendExport(
  wish: z.infer<typeof exportWish>,
  reply: FastifyReply,
  { database, now }: DeskContext,
) {
  await recordAct(database, now(), 'Exported people')
  // The chosen group counts: an export of those who left names nobody on the list.
  const consented = wish.consentedOnly && (wish.who === 'everyone' || wish.who === 'active')
  const filter = {
    ...filterOf(wish, now()),
    ...(consented && { state: 'active' as const, isConsented: true }),
  }
  const name = `people-${wish.tool}-${new Date(now()).toISOString().slice(0, 10)}.csv`
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(textOf(exportSubscribers(database, filter, wish.tool))))
}

async function* textOf(pages: AsyncIterable<{ text: string }>): AsyncGenerator<string> {
  for await (const { text } of pages) yield text
}
