import type { IncomingMessage } from 'node:http'
import { receiptsPath, type ReceiptStatus, slowAfterMs, stageOf } from '#contract/sign-up.ts'
import { noteText } from '#content/pages/note.ts'
import { resultPages } from '#content/pages/result-pages.ts'
import { groupCommits } from '../database/group-commits.ts'
import { readHandOvers } from '../deliveries/deliveries.ts'
import { type Answer, corsHeaders, htmlAnswer, jsonAnswer } from '../http/answer.ts'
import type { Pages } from '../http/pages.ts'
import { acceptsHtml } from '../http/request.ts'
import type { ServerContext } from '../start/extension.ts'
import { createReceiptSeal, type Receipt } from './receipt-seal.ts'
import type { RegisteredSignUp } from './register-sign-ups.ts'

export type Receipts = ReturnType<typeof createReceipts>

interface ReadReceipt {
  status: ReceiptStatus
  ageMs: number
}

const validMs = 30 * 60_000
const minuteMs = 60_000

/** `isMailSlow`: all mail is stuck or late. */
export function createReceipts({ database, secret, config, now }: ServerContext, isMailSlow: () => boolean) {
  const seal = createReceiptSeal(secret)
  // Receipts that are read together share a query.
  const readHandOver = groupCommits((receipts: readonly Receipt[]) => readHandOvers(database.query, receipts))
  function open(text: string): Receipt | undefined {
    const receipt = seal.open(text)
    const age = now() - (receipt?.issuedAt ?? 0)
    return age >= -minuteMs && age <= validMs ? receipt : undefined
  }

  function receiptOf(outcome: RegisteredSignUp): Receipt {
    const subscriber = ('subscriber' in outcome && outcome.subscriber) || 0
    return { subscriber, isCorrection: false, issuedAt: now() }
  }

  return {
    /** Issues a receipt for each sign-up of a group. */
    issue: (outcomes: readonly RegisteredSignUp[]): string[] => seal.seal(outcomes.map(receiptOf)),
    /** Returns undefined if the receipt is unknown or older than 30 minutes. */
    async read(text: string): Promise<ReadReceipt | undefined> {
      const receipt = open(text)
      if (!receipt) return undefined
      const ageMs = now() - receipt.issuedAt
      // A receipt would reveal who is on the list: docs/decisions/0043.
      const leftAt = config.hideAlreadyExists ? undefined : await readHandOver(receipt)
      const handedOverAt = leftAt === undefined ? null : new Date(leftAt).toISOString()
      const state = handedOverAt ? 'handed-over' : ageMs < slowAfterMs ? 'waiting' : 'slow'
      return { status: { state, handedOverAt, allMailIsSlow: isMailSlow() }, ageMs }
    },
  }
}

interface ReceiptDeps extends ServerContext {
  receipts: Receipts
  pages: Pages
}

/** Answers `/receipts/RECEIPT`: JSON to a program, a page to a visitor without JavaScript. Undefined: the 404 page. */
export async function answerReceipt(
  request: IncomingMessage,
  path: string,
  { receipts, gate, pages, config }: ReceiptDeps,
): Promise<Answer | undefined> {
  const receipt = path.slice(receiptsPath.length)
  const read = await receipts.read(receipt)
  if (acceptsHtml(request))
    return (
      read && htmlAnswer(200, pages.page('receipt', { receipt, ...wordsFor(read, config.hideAlreadyExists) }))
    )
  const cors = corsHeaders(gate.corsOrigin(request))
  return read ? jsonAnswer(200, read.status, cors) : jsonAnswer(404, { error: noSuchReceipt }, cors)
}

const noSuchReceipt = { code: 'not_found', message: 'There is no such receipt, or it is over.' }

/** Returns the words of the note under the form; see `viewOf` in app/pages/sign-up/sign-up-state.ts. */
function wordsFor({ status, ageMs }: ReadReceipt, isHidden: boolean) {
  const { address, zone, ...words } = resultPages.receipt
  const time = status.handedOverAt?.slice(11, 16)
  const view = isHidden ? 'inbox' : stageOf(status, ageMs)
  const { heading, text } = noteText.views[view]
  const values: Record<string, string> = { address, time: `${time} ${zone}` }
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  return { tag: time ?? words.tag, heading, text: filled }
}
