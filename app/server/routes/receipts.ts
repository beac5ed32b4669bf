import type { FastifyInstance } from 'fastify'
import { receiptsPath, type ReceiptStatus, slowAfterMs } from '#contract/sign-up.ts'
import type { Reader } from '../database/database.ts'
import { findByReceipt } from '../deliveries/deliveries.ts'
import { readMailFlow } from '../deliveries/mail-state.ts'
import type { Gate } from '../http/gate.ts'
import { isTokenForm } from '../subscribers/subscribers.ts'
import { allowCors } from '../http/cors.ts'
import { keepPrivate } from '../http/personal-headers.ts'

export interface ReceiptDeps {
  database: Reader
  gate: Gate
  /** ms since 1970. */
  now: () => number
}

const receiptValidMs = 30 * 60_000
const noSuchReceipt = { code: 'not_found', message: 'Unknown or expired receipt.' }

/** `/receipts/RECEIPT`: how the mail of one sign-up fares. */
export async function receiptRoutes(app: FastifyInstance, deps: ReceiptDeps): Promise<void> {
  keepPrivate(app)
  await allowCors(app, deps.gate, 'GET')
  app.get<{ Params: { receipt: string } }>(`${receiptsPath}:receipt`, async (request, reply) => {
    const status = await readReceipt(request.params.receipt, deps)
    return status ?? reply.code(404).send({ error: noSuchReceipt })
  })
}

async function readReceipt(
  receipt: string,
  { database, now }: ReceiptDeps,
): Promise<ReceiptStatus | undefined> {
  if (!isTokenForm(receipt)) return undefined
  const mail = await findByReceipt(database, receipt)
  if (!mail) return undefined
  const ageMs = now() - mail.queued_at
  if (ageMs > receiptValidMs) return undefined

  const { relayAway, trouble } = await readMailFlow(database, now())
  const allMailIsSlow = relayAway !== undefined || trouble !== undefined
  if (mail.state === 'sent' && mail.finished_at !== null) {
    const handedOverAt = new Date(mail.finished_at).toISOString()
    return { state: 'handed-over', handedOverAt, allMailIsSlow }
  }
  const state = ageMs < slowAfterMs ? 'waiting' : 'slow'
  return { state, handedOverAt: null, allMailIsSlow }
}
