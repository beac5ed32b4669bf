import { setTimeout as sleep } from 'node:timers/promises'
import { groupCommits } from '../database/group-commits.ts'
import { type Bell, makeBell } from './bell.ts'
import { claimDueMail, deliver, type DeliveryMeans, type DueMail } from './deliver-due-mail.ts'
import { handBack, markSent, nextDueAt, renewLeases } from './outbox.ts'

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
const claimsPerSend = 8

/** Sends what is due, for as long as the process lives: at most `concurrency` at once, woken after each commit. */
export function startDeliveryLoop(
  options: Omit<DeliveryMeans, 'leaseMs' | 'recordSent'> & { concurrency: number },
): DeliveryLoop {
  const { database, log, now, worker, concurrency } = options
  const waiting: DueMail[] = []
  const inHand = new Set<number>()
  let sending = 0
  let stopped = false
  let afterFault = false
  const means: DeliveryMeans = { ...options, leaseMs, recordSent: recordInGroups(options, () => stopped) }
  const bell: Bell = makeBell()

  async function run(): Promise<void> {
    while (!stopped) {
      const room = concurrency * claimsPerSend - inHand.size
      // Half empty before it asks again: a query per mail would cost more than the mail.
      const sleepMs = room * 2 < concurrency * claimsPerSend ? lookEveryMs : await takeDueMail(room)
      if (sleepMs > 0) await bell.rung(sleepMs)
    }
  }

  /** How long nothing more is to be expected, in ms. */
  async function takeDueMail(room: number): Promise<number> {
    try {
      if (afterFault) {
        await nextDueAt(database.query)
        afterFault = false
        await sleep(recordFirstMs)
      }
      const { due, nothingBefore = Infinity } = await claimDueMail(means, room)
      for (const mail of due) inHand.add(mail.id)
      waiting.push(...due)
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
    while (sending < concurrency && waiting.length > 0 && !stopped) {
      const mail = waiting.shift()!
      sending += 1
      deliver(means, mail)
        // The lease ends by itself, and the mail goes again with the same Message-ID.
        .catch((cause: unknown) =>
          log.error('delivery not recorded, it will go again', { delivery: mail.id, cause }),
        )
        .finally(() => {
          sending -= 1
          inHand.delete(mail.id)
          sendNext()
          bell.ring()
        })
    }
  }

  async function handBackWaiting(): Promise<void> {
    const ids = waiting.splice(0).map((mail) => mail.id)
    if (ids.length === 0) return
    await handBack(database.query, ids, worker, now()).catch((cause: unknown) =>
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
    wake: () => bell.ring(),
    async stop(graceMs) {
      const deadline = now() + graceMs
      stopped = true
      clearInterval(renewal)
      bell.ring()
      await Promise.race([running.then(handBackWaiting), sleep(graceMs, undefined, { ref: false })])
      while (sending > 0 && now() < deadline) await bell.rung(deadline - now())
    },
  }
}

/** Stores what was sent, however long the database is away. It does nothing where another worker has claimed it since. */
function recordInGroups(
  { database, worker, now }: Pick<DeliveryMeans, 'database' | 'worker' | 'now'>,
  isStopped: () => boolean,
) {
  const record = groupCommits(async (ids: readonly number[]) => {
    await markSent(database.query, ids, worker, now())
    return ids
  })
  return async (id: number): Promise<void> => {
    for (;;) {
      try {
        return void (await record(id))
      } catch (fault) {
        if (isStopped()) throw fault
        await sleep(afterFaultMs)
      }
    }
  }
}
