import { setTimeout as sleep } from 'node:timers/promises'
import { groupCommits } from '../database/group-commits.ts'
import {
  type DeliveryMeans,
  type DueMail,
  handBackMail,
  type Outcome,
  record,
  send,
} from './deliver-due-mail.ts'
import type { RelayWatch } from './relay-watch.ts'

/** The mails that this process has claimed and not recorded yet: some wait, some are being sent. */
export interface MailsInHand {
  ids(): number[]
  take(mails: readonly DueMail[]): void
  sendNext(): void
  /** Gives back untried what waits. */
  handBackWaiting(): Promise<void>
}

export interface SendingRules {
  /** How many are sent at once. */
  concurrency: number
  relay: RelayWatch
  isStopped: () => boolean
  /** One less is in hand. */
  onRoom: () => void
}

const afterFaultMs = 1_000

export function holdMails(
  means: DeliveryMeans,
  { concurrency, relay, isStopped, onRoom }: SendingRules,
): MailsInHand {
  const waiting: DueMail[] = []
  const inHand = new Set<number>()
  let sending = 0
  const recordSoon = recordInGroups(means, isStopped)

  function sendNext(): void {
    while (sending < (relay.isAway() ? 1 : concurrency) && waiting.length > 0 && !isStopped()) {
      if (relay.waitMs() > 0) return
      void deliver(waiting.shift()!)
    }
  }

  async function deliver(mail: DueMail): Promise<void> {
    try {
      await recordSoon(await sendOne(mail))
    } catch (cause) {
      // The lease ends by itself, and the mail goes again with the same Message-ID.
      means.log.error('delivery not recorded, it will go again', { delivery: mail.id, cause })
    } finally {
      inHand.delete(mail.id)
      onRoom()
    }
  }

  async function sendOne(mail: DueMail): Promise<Outcome> {
    sending += 1
    try {
      const outcome = await send(means, mail)
      if (outcome.kind !== 'cancelled') relay.note(outcome.kind !== 'sent' && outcome.isRelayAway)
      if (relay.isAway()) void handBackWaiting()
      return outcome
    } finally {
      sending -= 1
      sendNext()
    }
  }

  async function handBackWaiting(): Promise<void> {
    const mails = waiting.splice(0)
    for (const { id } of mails) inHand.delete(id)
    if (mails.length === 0) return
    await handBackMail(means, mails).catch((cause: unknown) =>
      means.log.warn('deliveries not handed back, they go when their leases end', { cause }),
    )
  }

  return {
    ids: () => [...inHand],
    take(mails) {
      // A lease that ended while the database was away may be one of ours, and its mail on its way.
      const fresh = mails.filter(({ id }) => !inHand.has(id))
      for (const { id } of fresh) inHand.add(id)
      waiting.push(...fresh)
      sendNext()
    },
    sendNext,
    handBackWaiting,
  }
}

/** Stores outcomes in groups, however long the database is away: nobody waits for them, and none is to count twice. */
function recordInGroups(means: DeliveryMeans, isStopped: () => boolean) {
  const recordGrouped = groupCommits(
    async (outcomes: readonly Outcome[]) => {
      await record(means, outcomes)
      return outcomes
    },
    { patienceMs: Infinity },
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
