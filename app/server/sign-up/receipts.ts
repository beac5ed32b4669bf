import { type ReceiptStatus, slowAfterMs } from '#contract/sign-up.ts'
import type { Database } from '../database/database.ts'
import { groupCommits } from '../database/group-commits.ts'
import { readHandOvers } from '../deliveries/deliveries.ts'
import { createReceiptSeal, type FirstSignUp, type Receipt } from './receipt-seal.ts'
import type { RegisteredSignUp } from './register-sign-ups.ts'

export type Receipts = ReturnType<typeof createReceipts>

interface ReceiptContext {
  database: Database
  secret: string
  /** A receipt then says nothing about its own mail, which would reveal who is on the list (docs/decisions/0043). */
  hideAlreadyExists: boolean
  /** All mail is stuck or late. */
  isMailSlow: () => boolean
  /** ms since 1970. */
  now: () => number
}

const validMs = 30 * 60_000
const minuteMs = 60_000

export function createReceipts({ database, secret, hideAlreadyExists, isMailSlow, now }: ReceiptContext) {
  const seal = createReceiptSeal(secret)
  // Receipts that are read together share a query.
  const readHandOver = groupCommits((receipts: readonly Receipt[]) =>
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
    return { subscriber, isCause, isCorrection: outcome.firstMail !== undefined, issuedAt: now() }
  }

  return {
    /** Issues a receipt for each sign-up of a group. */
    issue: (outcomes: readonly RegisteredSignUp[]): string[] => seal.seal(outcomes.map(receiptOf)),
    /** Returns the sign-up that the holder of a receipt corrects. Undefined: the receipt is invalid, or of a correction. */
    firstOf(text: string | undefined): FirstSignUp | undefined {
      if (text === undefined) return undefined
      const receipt = open(text)
      return receipt && !receipt.isCorrection ? { ...receipt, receipt: text } : undefined
    },
    /** Returns undefined if the receipt is unknown or older than 30 minutes. `ageMs`: of the receipt. */
    async read(text: string): Promise<{ status: ReceiptStatus; ageMs: number } | undefined> {
      const receipt = open(text)
      if (!receipt) return undefined
      const ageMs = now() - receipt.issuedAt
      const leftAt = hideAlreadyExists ? undefined : await readHandOver(receipt)
      const handedOverAt = leftAt === undefined ? null : new Date(leftAt).toISOString()
      const state = handedOverAt ? 'handed-over' : ageMs < slowAfterMs ? 'waiting' : 'slow'
      return { status: { state, handedOverAt, allMailIsSlow: isMailSlow() }, ageMs }
    },
  }
}

function mailOf({ subscriber, issuedAt }: Receipt) {
  return { subscriber, queuedBy: issuedAt }
}
