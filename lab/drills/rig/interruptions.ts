import type { ReceivedMail } from '#rigs/mail/smtp-inbox.ts'
import type { DeliveryRecord } from './records.ts'

/**
 * Counts, by Message-ID, the attempts that were interrupted: the mailbox has the mail, and the database does not say so.
 * Only these may go out a second time.
 */
export class Interruptions {
  readonly #counts = new Map<string, number>()
  readonly #copiesSeen = new Map<string, number>()

  /** After each kill. */
  note(deliveries: readonly DeliveryRecord[], mails: readonly ReceivedMail[]): void {
    const copies = Map.groupBy(mails, ({ messageId }) => messageId)
    for (const { messageId, state } of deliveries) {
      const kept = copies.get(messageId)?.length ?? 0
      const before = this.#copiesSeen.get(messageId) ?? 0
      if (kept <= before || state === 'sent') continue
      this.#counts.set(messageId, (this.#counts.get(messageId) ?? 0) + 1)
      this.#copiesSeen.set(messageId, kept)
    }
  }

  of(messageId: string): number {
    return this.#counts.get(messageId) ?? 0
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }
}
