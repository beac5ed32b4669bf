import type { Transaction } from '../database/database.ts'

/** What happens to a subscriber. The owner's webhook tells of it. */
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
