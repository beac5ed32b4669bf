import type { Reader, Transaction } from '../database/database.ts'

/** A mail of a mailing that is about to go. */
export interface MailOfMailing {
  id: number
  mailing: number
  subscriber: number
}

export type MayGo =
  { kind: 'go' } | { kind: 'cancelled' | 'held' } | { kind: 'put-off'; dueAt: number }

/** The owner's ring decides about its mailings here. The worker knows nothing else about them. */
export interface MailingRules {
  /** May this mail go now? Asked right before each attempt. `now`: ms since 1970. */
  mayGo(reader: Reader, mail: MailOfMailing, now: number): Promise<MayGo>
  /**
   * Called in the transaction that ends the delivery. `waits-again`: one that had failed waits
   * again, because the fault was ours.
   */
  recordEnd(
    transaction: Transaction,
    mailing: number,
    end: 'sent' | 'failed' | 'waits-again',
  ): Promise<void>
}

/** Without the owner's ring nothing sends a mailing, and what is left of one stays. */
export const noMailings: MailingRules = {
  mayGo: async () => ({ kind: 'held' }),
  recordEnd: async () => {},
}
