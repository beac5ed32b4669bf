import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { exportSubscribers, toolNames } from '../../subscribers/export-subscribers.ts'
import { recordAct } from '../access/audit.ts'
import type { DeskContext } from '../call.ts'
import { filterOf, peoplePicks } from './people.ts'

const wish = peoplePicks.extend({ tool: z.enum(['csv', ...toolNames]), consentedOnly: z.boolean() })

/** Sends a CSV file as fast as the browser reads it. If the database fails in the middle, the download fails. */
export async function sendExport(request: FastifyRequest, reply: FastifyReply, context: DeskContext) {
  const { database, now } = context
  const { data } = wish.safeParse(request.body)
  if (!data)
    return reply
      .code(400)
      .send({ error: { message: 'The server does not accept this input.', code: -32_600 } })
  await recordAct(database, now(), 'Exported people')
  // The chosen group counts: an export of those who left names nobody on the list.
  const consented = data.consentedOnly && (data.who === 'everyone' || data.who === 'active')
  const filter = { ...filterOf(data), ...(consented && { state: 'active' as const, isConsented: true }) }
  const name = `people-${data.tool}-${new Date(now()).toISOString().slice(0, 10)}.csv`
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(textOf(exportSubscribers(database, filter, data.tool))))
}

async function* textOf(pages: AsyncIterable<{ text: string }>): AsyncGenerator<string> {
  for await (const { text } of pages) yield text
}
