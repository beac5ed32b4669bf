import type { Transaction } from '../database/database.ts'

/** An event in the life of a subscriber, of which the owner's webhook tells. */
export type SubscriberEvent = 'joined' | 'consented' | 'left' | 'bounced' | 'erased'

/**
 * Stores an event in the transaction that causes it. The owner's ring sets it while WEBHOOK_URL is
 * set.
 */
export type RecordEvent = (
  transaction: Transaction,
  event: SubscriberEvent,
  subscriber: number,
  now: number,
) => Promise<void>
