import { setTimeout as sleep } from 'node:timers/promises'
import { announcementLane } from './lanes.ts'
import { groupCommits } from '../database/group-commits.ts'
import type { Log } from '../log.ts'
import type { Counts } from '../statistics/counts.ts'
import type { Mailer } from '../transports/mailer.ts'
import {
  type ClaimDeps,
  type ClaimedMail,
  claimMail,
  handBack,
  isStillWanted,
  newClaimFloor,
  type Outcome,
  record,
  renewLeases,
} from './deliveries.ts'
import { composerOf } from './mail-templates.ts'
import { watchRelay } from './relay-watch.ts'

interface SendDeps extends ClaimDeps {
  mailer: Mailer
  /** Waits between tries; after the last the delivery has failed. */
  retrySeconds: readonly number[]
}

export interface DeliveryDeps extends SendDeps {
  log: Log
  counts: Counts
  /** How many mails are sent at once. */
  concurrency: number
}

const renewEveryMs = 15_000
/** The longest sleep: another process (the owner's command line) may have changed what is due. */
const pollMs = 5_000
/** Mails claimed ahead for each parallel send, so that one query serves several. */
const claimsPerSend = 32
/** Mail of higher lanes leaves room for mail of lane 0 that comes later. */
const maxShareBehind = 3 / 4
/** Sign-ups gather for this long before the next claim: one claim for each would cost more. */
const gatherMs = 10
/** While sign-ups keep coming at shorter intervals than the first, a mail begins only after the second. */
const calmAfterMs = 20
const betweenMailsMs = 10
const afterFaultMs = 1_000
/** After a database error every instance gets time to record what it has sent before anyone claims it again. */
const recordFirstMs = 2 * afterFaultMs
const logFaultEveryMs = 60_000

/** One loop claims what is due. Up to `concurrency` attempts run beside it; each is checked, sent and recorded. */
export class DeliveryWorker {
  readonly #deps: DeliveryDeps
  readonly #relay: ReturnType<typeof watchRelay>
  readonly #bell = makeBell()
  readonly #floor = newClaimFloor()
  readonly #recordInGroups: (outcome: Outcome) => Promise<Outcome>
  readonly #renewal: NodeJS.Timeout
  readonly #running: Promise<void>
  /** Claimed, and not begun. Lower lanes first. */
  #waiting: ClaimedMail[] = []
  #hasNewMail = false
  /** Claimed, and not recorded. */
  readonly #inHand = new Set<number>()
  readonly #faultLoggedAt = new Map<string, number>()
  #sending = 0
  #beganAt = -Infinity
  #signUpAt = -Infinity
  #resumption: NodeJS.Timeout | undefined
  #hadClaimFault = false
  #ceilingUntil = 0
  #isStopped = false

  constructor(deps: DeliveryDeps) {
    this.#deps = deps
    this.#relay = watchRelay(deps.now)
    this.#recordInGroups = groupCommits((outcomes: readonly Outcome[]) => record(deps, outcomes), {
      patienceMs: Infinity,
    })
    this.#renewal = setInterval(() => void this.#renewLeases(), renewEveryMs)
    this.#running = this.#run()
  }

  /** A delivery was queued. While the hour's ceiling is reached there is nothing to look for. */
  wake(): void {
    this.#hasNewMail = true
    if (this.#deps.now() >= this.#ceilingUntil) this.#bell.ring()
  }

  /** Sign-ups were stored in this process. Those that follow go first: both need this thread. */
  yieldToSignUps(): void {
    this.#signUpAt = this.#deps.now()
    this.wake()
  }

  /** Claims nothing more, waits up to `graceMs` for the attempts in flight, and hands the rest back. */
  async stop(graceMs: number): Promise<void> {
    const { now } = this.#deps
    const deadline = now() + graceMs
    this.#isStopped = true
    clearInterval(this.#renewal)
    clearTimeout(this.#resumption)
    this.#bell.ring()
    const loopEnd = this.#running.then(() => this.#handBackWaiting())
    await Promise.race([loopEnd, sleep(graceMs, undefined, { ref: false })])
    while (this.#inHand.size > 0 && now() < deadline) await this.#bell.rung(deadline - now())
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#sendNext()
      const idleMs = this.#relay.waitMs() || (await this.#claim())
      if (idleMs > 0) await this.#bell.rung(Math.min(idleMs, pollMs))
      if (!this.#isStopped) await sleep(gatherMs)
    }
  }

  /** Resolves to how long nothing more is due, in ms. */
  async #claim(): Promise<number> {
    const { concurrency, log, now } = this.#deps
    // While the relay is away the other mails are left to an instance that reaches its own.
    const most = this.#relay.isAway() ? 1 : concurrency * claimsPerSend
    const room = most - this.#inHand.size
    // A query for each mail would cost more than the mail. But new mail may be in a lower lane than what waits here.
    const mayOvertake = this.#hasNewMail && room > 0 && (this.#waiting.at(-1)?.lane ?? 0) > 0
    if (room * 2 < most && !mayOvertake) return pollMs
    this.#hasNewMail = false
    const mostBehind = Math.ceil(most * maxShareBehind) - this.#inHand.size
    try {
      if (this.#hadClaimFault) await this.#recoverFromFault()
      const { mails, nothingBefore, isCeilingReached } = await claimMail(
        this.#deps,
        room,
        mostBehind,
        this.#floor,
      )
      if (isCeilingReached) this.#noteCeiling(nothingBefore)
      this.#take(mails)
      return Math.max(0, nothingBefore - now())
    } catch (cause) {
      log.error('cannot claim deliveries, trying again', { cause })
      this.#hadClaimFault = true
      await sleep(afterFaultMs)
      return 0
    }
  }

  async #recoverFromFault(): Promise<void> {
    await renewLeases(this.#deps, this.#inHand)
    this.#hadClaimFault = false
    await sleep(recordFirstMs)
  }

  #noteCeiling(until: number): void {
    if (this.#ceilingUntil < until) this.#deps.counts.countLimit('site')
    this.#ceilingUntil = until
  }

  #take(mails: readonly ClaimedMail[]): void {
    // A lease that ended while the database was away may be one of ours, with its mail on the way.
    const fresh = mails.filter(({ id }) => !this.#inHand.has(id))
    for (const { id } of fresh) this.#inHand.add(id)
    this.#waiting = [...this.#waiting, ...fresh].toSorted((a, b) => a.lane - b.lane)
    this.#sendNext()
  }

  #sendNext(): void {
    clearTimeout(this.#resumption)
    while (this.#waiting.length > 0 && this.#mayBegin()) {
      const yieldMs = this.#yieldMs()
      if (yieldMs > 0) {
        this.#resumption = setTimeout(() => this.#sendNext(), yieldMs)
        return
      }
      this.#beganAt = this.#deps.now()
      void this.#deliver(this.#waiting.shift()!)
    }
  }

  #mayBegin(): boolean {
    const atOnce = this.#relay.isAway() ? 1 : this.#deps.concurrency
    return !this.#isStopped && this.#sending < atOnce && this.#relay.waitMs() === 0
  }

  #yieldMs(): number {
    const now = this.#deps.now()
    return now - this.#signUpAt > calmAfterMs ? 0 : Math.max(0, this.#beganAt + betweenMailsMs - now)
  }

  async #deliver(mail: ClaimedMail): Promise<void> {
    const { log, counts } = this.#deps
    try {
      const outcome = await this.#attempt(mail)
      await this.#untilDone(
        () => this.#recordInGroups(outcome),
        'deliveries not recorded, trying again',
        () => counts.countRecordFailure(),
      )
      report(this.#deps, outcome)
    } catch (cause) {
      // The lease ends, and the mail goes again with the same Message-ID.
      log.error('delivery not finished, it will go again', { delivery: mail.id, cause })
    } finally {
      this.#inHand.delete(mail.id)
      this.#bell.ring()
    }
  }

  async #attempt(mail: ClaimedMail): Promise<Outcome> {
    this.#sending += 1
    try {
      const isWanted = await this.#untilDone(
        () => isStillWanted(this.#deps, mail),
        'deliveries not checked before sending, trying again',
      )
      if (!isWanted) return { mail, kind: 'cancelled' }
      const outcome = await send(this.#deps, mail)
      if (outcome.kind === 'sent' || outcome.kind === 'cancelled') this.#relay.note(false)
      else this.#relay.note(outcome.isRelayAway, outcome.retryAfterMs)
      if (this.#relay.isAway()) void this.#handBackWaiting()
      return outcome
    } finally {
      this.#sending -= 1
      this.#sendNext()
    }
  }

  /** Repeats `work` until the database takes it. The log says so at the first failure, then once a minute. */
  async #untilDone<Result>(
    work: () => Promise<Result>,
    event: string,
    onFailure = () => {},
  ): Promise<Result> {
    const { log, now } = this.#deps
    for (;;) {
      try {
        return await work()
      } catch (cause) {
        onFailure()
        if (this.#isStopped) throw cause
        if (now() - (this.#faultLoggedAt.get(event) ?? -Infinity) >= logFaultEveryMs) {
          this.#faultLoggedAt.set(event, now())
          log.error(event, { inHand: this.#inHand.size, cause })
        }
        await sleep(afterFaultMs)
      }
    }
  }

  async #handBackWaiting(): Promise<void> {
    const mails = this.#waiting.splice(0)
    for (const { id } of mails) this.#inHand.delete(id)
    if (mails.length === 0) return
    await handBack(this.#deps, mails).catch((cause: unknown) =>
      this.#deps.log.warn('deliveries not handed back, they go when their leases end', { cause }),
    )
  }

  async #renewLeases(): Promise<void> {
    if (this.#inHand.size === 0) return
    await renewLeases(this.#deps, this.#inHand).catch((cause: unknown) =>
      this.#deps.log.error('cannot renew leases', { cause }),
    )
  }
}

/** Composes and sends. The outcome is not recorded yet. */
export async function send(deps: SendDeps, mail: ClaimedMail): Promise<Outcome> {
  const { database, mailer, now, retrySeconds } = deps
  const compose = await composerOf(database.query, mail.template)
  const { address, token, message_id: messageId, queued_at: queuedAt } = mail
  const startedAt = now()
  const sending = await mailer.send(compose({ address, token, messageId, date: new Date(queuedAt) }))
  switch (sending.kind) {
    case 'accepted':
      return { mail, kind: 'sent', ms: now() - startedAt }
    case 'permanent':
      return { mail, kind: 'failed', why: sending.why, isRelayAway: false, retryAfterMs: 0 }
    case 'temporary': {
      const { why, isRelayAway, isAboutUs, retryAfterMs = 0 } = sending
      const waitSeconds = retrySeconds[mail.failures] ?? (isAboutUs && retrySeconds.at(-1))
      const fault = { mail, why, isRelayAway, retryAfterMs }
      return waitSeconds === undefined
        ? { ...fault, kind: 'failed' }
        : { ...fault, kind: 'postponed', dueAt: now() + Math.max(waitSeconds * 1000, retryAfterMs) }
    }
    default:
      return sending satisfies never
  }
}

function report({ log, counts }: DeliveryDeps, outcome: Outcome): void {
  const { mail, kind } = outcome
  if (kind === 'cancelled') return
  const facts = { delivery: mail.id, subscriber: log.who(mail.address) }
  // The counts of the day are about sign-ups and what became of them.
  if (mail.lane !== announcementLane) counts.countDelivery(kind, kind === 'sent' ? outcome.ms : undefined)
  switch (kind) {
    case 'sent':
      return log.info('delivery sent', { ...facts, ms: outcome.ms })
    case 'failed':
      return log.warn('delivery failed', { ...facts, why: outcome.why })
    case 'postponed': {
      const until = new Date(outcome.dueAt).toISOString()
      return log.warn('delivery postponed', { ...facts, why: outcome.why, until })
    }
    default:
      return kind satisfies never
  }
}

/** Wakes every waiter, or else the next one. Timers only: an abort would create an error with a stack trace per group of sign-ups. */
function makeBell() {
  const waiting = new Set<() => void>()
  let hasRung = false
  return {
    ring(): void {
      hasRung = waiting.size === 0
      for (const wake of waiting) wake()
    },
    rung(ms: number): Promise<void> {
      if (hasRung) ms = 0
      hasRung = false
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          waiting.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, ms)
        waiting.add(wake)
      })
    },
  }
}
