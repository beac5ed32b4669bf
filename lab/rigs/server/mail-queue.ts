import { expect } from 'vitest'
import { relayAway } from '#rigs/mail/programmable-mailer.ts'
import type { Priority } from '#server/deliveries/deliveries.ts'
import type { SendOutcome } from '#server/transports/mailer.ts'
import { queueMails } from './queue-mails.ts'
import { deliveriesIn, deliveryStates } from './rows.ts'
import type { TestApp } from './test-app.ts'

export const throttled: SendOutcome = {
  kind: 'relay-fault',
  why: 'smtp 450 4.7.1 to RCPT TO',
  progress: 'mail-begun',
  cause: new Error('450 4.7.1 Too fast'),
}
export const refusedMail: SendOutcome = {
  kind: 'relay-fault',
  why: 'smtp 554 5.7.1 to DATA',
  progress: 'mail-begun',
  cause: new Error('554 5.7.1 Rejected as spam'),
}

export async function queue(
  app: TestApp,
  to: readonly string[],
  priority: Priority = 0,
): Promise<void> {
  await queueMails(app.database, to, { now: app.clock.now(), priority })
  app.context.wakeDeliveries()
}

/** Does what the server does every minute. */
export async function passMinute(app: TestApp): Promise<void> {
  await app.repairClocks()
  app.context.wakeDeliveries()
}

/** Resolves once the mails wait because of a fault. */
export async function heldUp(app: TestApp) {
  await expect
    .poll(() => deliveriesIn(app.database))
    .toMatchObject([{ state: 'queued', last_fault: relayAway.why }])
  return deliveriesIn(app.database)
}

/**
 * `since`: before the attempt. However slow the machine is, the wait began between then and now.
 */
export function expectWait(
  app: TestApp,
  mail: { due_at: number } | undefined,
  { waitMs, since }: { waitMs: number; since: number },
): void {
  const now = app.clock.now()
  expect(mail?.due_at).toBeGreaterThanOrEqual(since + waitMs)
  // A wait that depends on the mail's age has grown by the time since then.
  expect(mail?.due_at).toBeLessThanOrEqual(now + waitMs + 2 * (now - since))
}

export async function expectAll(app: TestApp, state: string): Promise<void> {
  const found = async () => [...new Set(await deliveryStates(app.database))]
  await expect.poll(app.passing(found)).toEqual([state])
}

export async function states({ database }: TestApp, state: string): Promise<number> {
  return (await deliveryStates(database)).filter((one) => one === state).length
}
