import { setTimeout as sleep } from 'node:timers/promises'
import { makeBell } from './bell.ts'
import { claimAhead } from './claim-ahead.ts'
import type { DeliveryMeans } from './deliver-due-mail.ts'
import { holdMails } from './mails-in-hand.ts'
import { renewLeases } from './deliveries.ts'
import { watchRelay } from './relay-watch.ts'

export interface DeliveryLoop {
  /** A delivery was queued: look now. */
  wake(): void
  /** Takes nothing new, waits up to `graceMs` for the attempts in flight, gives the rest back. */
  stop(graceMs: number): Promise<void>
}

const leaseMs = 45_000
const renewEveryMs = 15_000
/** The longest sleep: another process (the owner's command line) may have changed what is due. */
const lookEveryMs = 5_000
/** Mails claimed in advance for each parallel send, so that one query serves several. */
const claimsPerSend = 32
/** What a burst of sign-ups is gathered for before the database is asked: a commit each would cost more. */
const gatherMs = 10

/** Sends what is due, for as long as the process lives: at most `concurrency` at once, woken after each commit. */
export function startDeliveryLoop(
  options: Omit<DeliveryMeans, 'leaseMs'> & { concurrency: number },
): DeliveryLoop {
  const { database, log, now, worker, concurrency } = options
  const means: DeliveryMeans = { ...options, leaseMs }
  let stopped = false
  const relay = watchRelay(now)
  const bell = makeBell()
  const mails = holdMails(means, { concurrency, relay, isStopped: () => stopped, onRoom: bell.ring })
  const claims = claimAhead(means, mails)

  async function run(): Promise<void> {
    while (!stopped) {
      mails.sendNext()
      const sleepMs = relay.waitMs() || (await takeMore())
      if (sleepMs > 0) await bell.rung(Math.min(sleepMs, lookEveryMs))
      if (!stopped) await sleep(gatherMs)
    }
  }

  /** How long nothing more is to be expected, in ms. */
  async function takeMore(): Promise<number> {
    // While the relay is away the others are left to an instance that reaches its own.
    const most = relay.isAway() ? 1 : concurrency * claimsPerSend
    const room = most - mails.ids().length
    // Half empty before it asks again: a query per mail would cost more than the mail.
    return room * 2 < most ? lookEveryMs : claims.claim(room)
  }

  const renewal = setInterval(() => {
    const ids = mails.ids()
    if (ids.length === 0) return
    renewLeases(database.query, ids, worker, now() + leaseMs).catch((cause: unknown) =>
      log.error('cannot renew leases', { cause }),
    )
  }, renewEveryMs)

  const running = run()
  return {
    wake: () => void (claims.isOpen() && bell.ring()),
    async stop(graceMs) {
      const deadline = now() + graceMs
      stopped = true
      clearInterval(renewal)
      bell.ring()
      await Promise.race([running.then(mails.handBackWaiting), sleep(graceMs, undefined, { ref: false })])
      while (mails.ids().length > 0 && now() < deadline) await bell.rung(deadline - now())
    },
  }
}
