import type { IncomingMessage } from 'node:http'
import { receiptsPath, stageOf } from '#contract/sign-up.ts'
import { resultPages } from '#content/pages/result-pages.ts'
import { noteText } from '#content/pages/note.ts'
import { type Answer, corsHeaders, htmlAnswer, jsonAnswer } from '../http/answer.ts'
import type { Gate } from '../http/gate.ts'
import type { Pages } from '../http/pages.ts'
import { acceptsHtml } from '../http/request.ts'
import type { Receipts } from './receipts.ts'

interface ReceiptDeps {
  receipts: Receipts
  gate: Gate
  pages: Pages
  hideAlreadyExists: boolean
}

/** Answers `/receipts/RECEIPT`: JSON to a program, a page to a visitor without JavaScript. Undefined: the 404 page. */
export async function answerReceipt(
  request: IncomingMessage,
  path: string,
  { receipts, gate, pages, hideAlreadyExists }: ReceiptDeps,
): Promise<Answer | undefined> {
  const receipt = path.slice(receiptsPath.length)
  const read = await receipts.read(receipt)
  if (acceptsHtml(request))
    return read && htmlAnswer(200, pages.page('receipt', { receipt, ...wordsFor(read, hideAlreadyExists) }))
  const cors = corsHeaders(gate.corsOrigin(request))
  return read ? jsonAnswer(200, read.status, cors) : jsonAnswer(404, { error: noSuchReceipt }, cors)
}

const noSuchReceipt = { code: 'not_found', message: 'There is no such receipt, or it is over.' }

type Read = NonNullable<Awaited<ReturnType<Receipts['read']>>>

/** Returns the words of the note under the form; see `viewOf` in app/pages/sign-up/sign-up-state.ts. */
function wordsFor({ status, ageMs }: Read, isHidden: boolean) {
  const { address, zone, ...words } = resultPages.receipt
  const time = status.handedOverAt?.slice(11, 16)
  const hidden = status.allMailIsSlow ? 'hidden-slow' : 'hidden'
  const view = isHidden ? hidden : stageOf(status, ageMs)
  const { heading, text } = view === 'waiting' ? words.waiting : noteText.views[view]
  return { tag: time ?? words.tag, heading, text: fill(text, { address, time: `${time} ${zone}` }) }
}

function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}
