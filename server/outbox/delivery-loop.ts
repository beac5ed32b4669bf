import { setTimeout as sleep } from 'node:timers/promises'
import { groupCommits } from '../database/group-commits.ts'
import { type Bell, makeBell } from './bell.ts'
import {
  claimDueMail,
  handBackMail,
  type DeliveryMeans,
  type DueMail,
  type Outcome,
  record,
  send,
} from './deliver-due-mail.ts'
import { renewLeases } from './outbox.ts'
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
const afterFaultMs = 1_000
/** After a fault of the database: time for every instance to record what it sent meanwhile, before anyone claims it anew. */
const recordFirstMs = 2 * afterFaultMs
/** Mails claimed in advance for each parallel send, so that one query serves several. */
const claimsPerSend = 32
/** What a burst of sign-ups is gathered for before the database is asked: a commit each would cost more. */
const gatherMs = 10
/** The same for mails that were sent. A crash meanwhile sends them once more. */
const recordGatherMs = 25

/** Sends what is due, for as long as the process lives: at most `concurrency` at once, woken after each commit. */
export function startDeliveryLoop(
  options: Omit<DeliveryMeans, 'leaseMs'> & { concurrency: number },
): DeliveryLoop {
  const { database, log, now, worker, concurrency } = options
  const waiting: DueMail[] = []
  const inHand = new Set<number>()
  let sending = 0
  let stopped = false
  let afterFault = false
  let closedUntil = 0
  /** The end of the last hour that counted as one whose ceiling was reached. */
  let countedUntil = 0
  const means: DeliveryMeans = { ...options, leaseMs }
  const relay = watchRelay(now)
  const recordSoon = recordInGroups(means, () => stopped)
  const bell: Bell = makeBell()

  async function run(): Promise<void> {
    while (!stopped) {
      sendNext()
      const sleepMs = relay.waitMs() || (await takeMore())
      if (sleepMs > 0) await bell.rung(sleepMs)
      if (!stopped) await sleep(gatherMs)
    }
  }

  /** How long nothing more is to be expected, in ms. */
  async function takeMore(): Promise<number> {
    // While the relay is away the others are left to an instance that reaches its own.
    const most = relay.isAway() ? 1 : concurrency * claimsPerSend
    const room = most - inHand.size
    // Half empty before it asks again: a query per mail would cost more than the mail.
    return room * 2 < most ? lookEveryMs : takeDueMail(room)
  }

  async function takeDueMail(room: number): Promise<number> {
    try {
      if (afterFault) {
        await renewLeases(database.query, [...inHand], worker, now() + leaseMs)
        afterFault = false
        await sleep(recordFirstMs)
      }
      const { due, nothingBefore = Infinity, isCeilingReached } = await claimDueMail(means, room)
      closedUntil = isCeilingReached ? nothingBefore : 0
      if (isCeilingReached && countedUntil < nothingBefore) {
        countedUntil = nothingBefore
        options.counts.countLimit('site')
      }
      // A lease that ended while the database was away may be one of ours, and its mail on its way.
      const fresh = due.filter(({ id }) => !inHand.has(id))
      for (const { id } of fresh) inHand.add(id)
      waiting.push(...fresh)
      sendNext()
      return Math.min(Math.max(0, nothingBefore - now()), lookEveryMs)
    } catch (cause) {
      log.error('cannot claim deliveries, trying again', { cause })
      afterFault = true
      await sleep(afterFaultMs)
      return 0
    }
  }

  function sendNext(): void {
    while (sending < (relay.isAway() ? 1 : concurrency) && waiting.length > 0 && !stopped) {
      if (relay.waitMs() > 0) return
      const mail = waiting.shift()!
      sending += 1
      const outcome = send(means, mail)
        .then((what) => {
          noteRelay(what)
          return what
        })
        .finally(() => {
          sending -= 1
          sendNext()
        })
      outcome
        .then(recordSoon)
        // The lease ends by itself, and the mail goes again with the same Message-ID.
        .catch((cause: unknown) =>
          log.error('delivery not recorded, it will go again', { delivery: mail.id, cause }),
        )
        .finally(() => {
          inHand.delete(mail.id)
          bell.ring()
        })
    }
  }

  function noteRelay(outcome: Outcome): void {
    if (outcome.kind === 'cancelled') return
    relay.note(outcome.kind !== 'sent' && outcome.isRelayAway)
    if (relay.isAway()) void handBackWaiting()
  }

  async function handBackWaiting(): Promise<void> {
    const mails = waiting.splice(0)
    for (const { id } of mails) inHand.delete(id)
    if (mails.length === 0) return
    await handBackMail(means, mails).catch((cause: unknown) =>
      log.warn('deliveries not handed back, they go when their leases end', { cause }),
    )
  }

  const renewal = setInterval(() => {
    if (inHand.size === 0) return
    renewLeases(database.query, [...inHand], worker, now() + leaseMs).catch((cause: unknown) =>
      log.error('cannot renew leases', { cause }),
    )
  }, renewEveryMs)

  const running = run()
  return {
    // With the hour's ceiling reached there is nothing to look for, however many sign up.
    wake: () => void (now() >= closedUntil && bell.ring()),
    async stop(graceMs) {
      const deadline = now() + graceMs
      stopped = true
      clearInterval(renewal)
      bell.ring()
      await Promise.race([running.then(handBackWaiting), sleep(graceMs, undefined, { ref: false })])
      while (inHand.size > 0 && now() < deadline) await bell.rung(deadline - now())
    },
  }
}

/** Stores outcomes in groups, however long the database is away: nobody waits for them, and none is to count twice. */
function recordInGroups(means: DeliveryMeans, isStopped: () => boolean) {
  const recordGrouped = groupCommits(
    async (outcomes: readonly Outcome[]) => {
      await record(means, outcomes)
      return outcomes
    },
    { gatherMs: recordGatherMs, patienceMs: Infinity },
  )
  return async (outcome: Outcome): Promise<void> => {
    for (;;) {
      try {
        return void (await recordGrouped(outcome))
      } catch (fault) {
        if (isStopped()) throw fault
        await sleep(afterFaultMs)
      }
    }
  }
}
