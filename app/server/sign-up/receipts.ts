import type { ReceiptStatus } from '#contract/sign-up.ts'
import type { Database } from '../database/database.ts'
import { groupCommits } from '../database/group-commits.ts'
import { readHandOvers } from '../deliveries/deliveries.ts'
import type { MailFlow } from '../deliveries/mail-flow.ts'
import { createReceiptSeal, type FirstSignUp, type Receipt } from './receipt-seal.ts'
import type { RegisteredSignUp } from './register-sign-ups.ts'

export type Receipts = ReturnType<typeof createReceipts>

interface ReceiptContext {
  database: Database
  secret: string
  hideAlreadyExists: boolean
  mailFlow: MailFlow
  /** All mail is in trouble. */
  isMailSlow: () => boolean
  /** ms since 1970. */
  now: () => number
}

const validMs = 30 * 60_000
const slowAfterMs = 8_000
const minuteMs = 60_000
/** Ages at which a receipt of a site that hides its list may turn to `handed-over`; after the last one, every such span. */
const hiddenSteps = [4_000, 8_000, 15_000, 30_000]

export function createReceipts({ database, secret, now, ...context }: ReceiptContext) {
  const { hideAlreadyExists, mailFlow, isMailSlow } = context
  const seal = createReceiptSeal(secret)
  // Those who ask together share a query.
  const look = groupCommits((receipts: readonly Receipt[]) =>
    readHandOvers(database.query, receipts.map(mailOf)),
  )
  function open(text: string): Receipt | undefined {
    const receipt = seal.open(text)
    const age = now() - (receipt?.issuedAt ?? 0)
    return age >= -minuteMs && age <= validMs ? receipt : undefined
  }

  function receiptOf(outcome: RegisteredSignUp): Receipt {
    const isCause = outcome.kind === 'registered' || 'resentAt' in outcome
    const subscriber = ('subscriber' in outcome && outcome.subscriber) || 0
    const delayMs = hideAlreadyExists && !isCause ? mailFlow.sampleMs() : 0
    return { subscriber, isCause, isCorrection: outcome.firstMail !== undefined, issuedAt: now(), delayMs }
  }

  return {
    /** A receipt for each sign-up of a group, by its outcome. */
    issue: (outcomes: readonly RegisteredSignUp[]): string[] => seal.seal(outcomes.map(receiptOf)),
    /** The sign-up that the holder of a receipt corrects. Undefined: there is none, or it is itself a correction. */
    firstOf(text: string | undefined): FirstSignUp | undefined {
      if (text === undefined) return undefined
      const receipt = open(text)
      return receipt && !receipt.isCorrection ? { ...receipt, receipt: text } : undefined
    },
    /** `ageMs`: of the receipt. Undefined: it is unknown, or older than 30 minutes. */
    async read(text: string): Promise<{ status: ReceiptStatus; ageMs: number } | undefined> {
      const receipt = open(text)
      if (!receipt) return undefined
      const ageMs = now() - receipt.issuedAt
      const leftAt = await look(receipt)
      const told = hideAlreadyExists ? hiddenHandOver(receipt, leftAt, mailFlow, now()) : leftAt
      return { status: statusOf(told, ageMs, isMailSlow()), ageMs }
    },
  }
}

function mailOf({ subscriber, issuedAt }: Receipt) {
  return { subscriber, queuedBy: issuedAt }
}

function statusOf(toldAt: number | undefined, ageMs: number, allMailIsSlow: boolean): ReceiptStatus {
  if (toldAt !== undefined)
    return { state: 'handed-over', handedOverAt: new Date(toldAt).toISOString(), allMailIsSlow }
  return { state: ageMs < slowAfterMs ? 'waiting' : 'slow', handedOverAt: null, allMailIsSlow }
}

/**
 * When the mail of a receipt left us, as far as a site that hides its list tells: to the minute, and only at certain ages. Where no
 * mail followed the sign-up, it takes as long as others took lately (docs/decisions/0043).
 */
export function hiddenHandOver(
  { subscriber, isCause, issuedAt, delayMs }: Receipt,
  leftAt: number | undefined,
  mailFlow: MailFlow,
  now: number,
): number | undefined {
  // Somebody on the list whose mail still waits: it has not left us.
  if (leftAt === undefined && (isCause || subscriber !== 0)) return undefined
  const readyAt = Math.max(isCause ? 0 : issuedAt + delayMs, leftAt ?? 0)
  const toldAt = stepAfter(issuedAt, readyAt)
  const releasedAt = isCause ? toldAt : mailFlow.leftAt(toldAt)
  if (releasedAt === undefined || now < stepAfter(issuedAt, releasedAt)) return undefined
  const saidAt = releasedAt > toldAt ? releasedAt : readyAt
  return Math.floor(saidAt / minuteMs) * minuteMs
}

function stepAfter(issuedAt: number, at: number): number {
  const age = at - issuedAt
  const last = hiddenSteps.at(-1)!
  return issuedAt + (hiddenSteps.find((step) => step >= age) ?? Math.ceil(age / last) * last)
}
