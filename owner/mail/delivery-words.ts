import type { DeliveryState } from './list-deliveries.ts'

/** The state of a mail, after the word for it: at the desk and on the command line. */
export const deliveryStateWords: Record<DeliveryState, string> = {
  queued: 'is waiting',
  sending: 'is going out',
  sent: 'was sent',
  failed: 'has failed',
  cancelled: 'was cancelled',
  held: 'is held back',
}

/** The reasons why a mail in this state may not be retried. */
const obstacles: Partial<Record<DeliveryState, string>> = {
  queued: 'The letter is more than three days late.',
  sent: 'A new sign-up sends the mail again.',
  held: 'The letter is paused.',
  cancelled: 'The person had left the list, or the letter was cancelled.',
  failed:
    'The person has left the list or has a newer mail, or the letter is more than three days late.',
}

/** Says why a mail cannot be retried. */
export function explainNoRetry(state: DeliveryState): string {
  return `This mail ${deliveryStateWords[state]}. ${obstacles[state] ?? ''}`.trimEnd()
}
