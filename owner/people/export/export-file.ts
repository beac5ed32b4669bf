import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { type ExportOrder, startExport } from './export-subscribers.ts'
import { tools } from './tool-names.ts'
import type { DeskRequest } from '#owner/acts/desk-request.ts'
import { filterOf, peoplePicks } from '../people-picks.ts'

export const exportWish = peoplePicks.extend({
  tool: z.enum(['csv', ...tools]),
  consentedOnly: z.boolean(),
})

export function exportOrderOf(
  { tool, consentedOnly, ...picks }: z.infer<typeof exportWish>,
  now: number,
): ExportOrder {
  const filter = filterOf(picks, now)
  return { ...filter, isConsented: filter.isConsented || consentedOnly, format: tool }
}

/**
 * Sends a CSV file as fast as the browser reads it. If the database fails in the middle, the
 * download fails.
 */
export async function sendExport(
  { server, reply }: DeskRequest,
  wish: z.infer<typeof exportWish>,
): Promise<FastifyReply> {
  const { database, now } = server
  const name = `people-${wish.tool}-${new Date(now()).toISOString().slice(0, 10)}.csv`
  const pieces = Readable.from(await startExport(database, exportOrderOf(wish, now()), now()))
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(pieces.map(({ text: piece }) => piece))
}
