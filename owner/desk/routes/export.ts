import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { exportSubscribers, toolNames } from '../../subscribers/export-subscribers.ts'
import { recordAction } from '../access/audit.ts'
import type { DeskRequest } from '../desk-request.ts'
import { filterOf, peoplePicks } from './people.ts'

export const exportWish = peoplePicks.extend({
  tool: z.enum(['csv', ...toolNames]),
  consentedOnly: z.boolean(),
})

/**
 * Sends a CSV file as fast as the browser reads it. If the database fails in the middle, the
 * download fails.
 */
export async function sendExport(
  { server, reply }: DeskRequest,
  wish: z.infer<typeof exportWish>,
): Promise<FastifyReply> {
  const { database, now } = server
  await recordAction(database, { at: now(), action: 'Exported people', about: '' })
  // The chosen group counts: an export of those who left names nobody on the list.
  const isListWanted = wish.who === 'everyone' || wish.who === 'active'
  const filter = filterOf(
    wish.consentedOnly && isListWanted ? { ...wish, who: 'wants-news' } : wish,
    now(),
  )
  const name = `people-${wish.tool}-${new Date(now()).toISOString().slice(0, 10)}.csv`
  const pieces = Readable.from(exportSubscribers(database.ownerReads, filter, wish.tool))
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(pieces.map(({ text: piece }) => piece))
}
