import type { FastifyInstance } from 'fastify'
import { receiptsPath, type ReceiptStatus, slowAfterMs, mailStage } from '#contract/sign-up.ts'
import { noteText } from '#content/pages/note.ts'
import { resultPages } from '#content/pages/result-pages.ts'
import { findByReceipt } from '../deliveries/deliveries.ts'
import { readMailFlow } from '../deliveries/mail-state.ts'
import type { RouteContext } from '../start/context.ts'
import { isTokenForm } from '../subscribers/subscribers.ts'
import { allowCors } from './cors.ts'
import { sendHtml } from './failures.ts'
import { keepPrivate } from './personal-headers.ts'
import { acceptsHtml } from './request.ts'

const receiptValidMs = 30 * 60_000

/** `/receipts/RECEIPT`: JSON to a program, a page to a visitor without JavaScript. */
export async function receiptRoutes(app: FastifyInstance, deps: RouteContext): Promise<void> {
  const { pages, gate } = deps
  keepPrivate(app)
  await allowCors(app, gate, 'GET')
  app.get<{ Params: { receipt: string } }>(`${receiptsPath}:receipt`, async (request, reply) => {
    const { receipt } = request.params
    const read = await readReceipt(receipt, deps)
    if (acceptsHtml(request)) {
      return read
        ? sendHtml(reply, pages.page('receipt', { receipt, ...wordsFor(read) }))
        : reply.callNotFound()
    }
    return read ? read.status : reply.code(404).send({ error: noSuchReceipt })
  })
}

const noSuchReceipt = { code: 'not_found', message: 'Unknown or expired receipt.' }

async function readReceipt(receipt: string, { database, now, config }: RouteContext) {
  const mail = isTokenForm(receipt)
    ? await findByReceipt(database, receipt, config.senderDomain)
    : undefined
  const ageMs = mail ? now() - mail.queued_at : Infinity
  if (!mail || ageMs > receiptValidMs) return undefined
  const handedOverAt =
    mail.state === 'sent' && mail.finished_at ? new Date(mail.finished_at).toISOString() : null
  const state: ReceiptStatus['state'] = handedOverAt
    ? 'handed-over'
    : ageMs < slowAfterMs
      ? 'waiting'
      : 'slow'
  const { relayAway, trouble } = await readMailFlow(database, now())
  return {
    status: {
      state,
      handedOverAt,
      allMailIsSlow: relayAway !== undefined || trouble !== undefined,
    },
    ageMs,
  }
}

/** The words of the note under the form; see `viewOf` in app/pages/sign-up/sign-up-state.ts. */
function wordsFor({ status, ageMs }: { status: ReceiptStatus; ageMs: number }) {
  const { address, zone, tag } = resultPages.receipt
  const time = status.handedOverAt?.slice(11, 16)
  const view = mailStage(status, ageMs)
  const { heading, text } = noteText.views[view]
  return {
    tag: time ?? tag,
    heading: time ? `${heading} ${time} ${zone}` : heading,
    text: text.replace('{address}', address),
  }
}
