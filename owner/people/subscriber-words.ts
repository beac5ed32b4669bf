import type { SubscriberState } from '#server/subscribers/subscribers.ts'

/** The states of people, at the desk and on the command line. */
export const subscriberStateWords: Record<SubscriberState, string> = {
  active: 'On the list',
  unsubscribed: 'Left',
  undeliverable: 'Undeliverable',
  blocked: 'Blocked our mail',
}
