import { setTimeout as sleep } from 'node:timers/promises'
import { composeMail, type Sender } from '#site/mail/compose-mail.ts'
import type { MailMessage } from '#site/mail/mail-message.ts'
import type { Config } from '../../settings/config.ts'
import type { Database, Transaction } from '../../database/database.ts'
import type { Log } from '../../log.ts'
import type { Counts } from '../../statistics/counts.ts'
import type { RecordEvent } from '../../subscribers/events.ts'
import { leaveTheList } from '../../subscribers/leave-the-list.ts'
import type { Mailer, Progress, SendOutcome } from '../../transports/mailer.ts'
import {
  checkBeforeSending,
  claimMails,
  type ClaimedMail,
  isMailDue,
  mailingPriority,
  type MailOutcome,
  recordOutcome,
  renewLeases,
  type SendCheck,
} from '../deliveries.ts'
import type { MailingRules } from '../mailing-rules.ts'
import { recordFlow, unwritable } from '../mail-state.ts'
import { judge } from './refusals.ts'
import { type RelayWatch, watchRelay } from './relay-watch.ts'
import { holdUpMs, spread } from '../waits.ts'

export interface WorkerDeps extends Pick<
  Config,
  'mailConcurrency' | 'mailTimeoutSeconds' | 'retrySeconds' | 'siteMailsPerHour'
> {
  database: Database
  mailer: Mailer
  log: Log
  /** ms since 1970. */
  now: () => number
  recordEvent: RecordEvent
  /** The owner's ring decides about its mails to many. */
  mailings: MailingRules
  counts: Counts
  /** Names this process in the leases. */
  worker: string
  /** Asked for each mail. */
  sender: () => Sender
  /** From 0 to 1. */
  random: () => number
}

interface Attempt {
  delivering: Promise<void>
  /** ms since 1970. */
  startedAt: number
}

type Deferral = Extract<SendOutcome, { kind: 'deferred' }>
type RelayFault = Extract<SendOutcome, { kind: 'relay-fault' }>

const renewEveryMs = 15_000
/** The longest sleep: mail falls due, another process changes what is due, the clock is set. */
const pollMs = 1_000
/** The rest stays free for mail of priority 0 that arrives later. */
const maxShareAbove0 = 3 / 4
const afterFaultMs = 1_000

/**
 * One loop claims what is due, as many as can be sent at once. Each mail is then checked, sent and
 * recorded.
 */
export class Worker {
  readonly #deps: WorkerDeps
  #relay: RelayWatch
  readonly #renewal: NodeJS.Timeout
  readonly #running: Promise<void>
  /** By the number of the delivery. */
  readonly #inFlight = new Map<number, Attempt>()
  #wakeUp = Promise.withResolvers<void>()
  #isStopped = false
  #wasFull = false

  constructor(deps: WorkerDeps) {
    this.#deps = deps
    this.#relay = watchRelay(deps.now)
    this.#renewal = setInterval(() => this.#renewLeases(), renewEveryMs)
    this.#running = this.#run()
  }

  /** Called when mail was queued. */
  wake(): void {
    this.#wakeUp.resolve()
  }

  /** Called after a change of the mail service or the sender: what is known of it is over. */
  forgetRelay(): void {
    this.#relay = watchRelay(this.#deps.now)
    this.wake()
  }

  /** Claims nothing more, and waits up to `graceMs` for the attempts in flight. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true
    this.wake()
    const finished = this.#running.then(() => this.#finishAll())
    await Promise.race([finished, sleep(graceMs, undefined, { ref: false })])
    clearInterval(this.#renewal)
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const claimed = await this.#claim()
      for (const mail of claimed) this.#begin(mail)
      if (claimed.length === 0) await this.#sleep()
    }
  }

  async #sleep(): Promise<void> {
    const relayWaitMs = this.#relay.waitMs()
    const waitMs = relayWaitMs > 0 ? Math.min(relayWaitMs, pollMs) : pollMs
    const timer = setTimeout(() => this.wake(), waitMs)
    await this.#wakeUp.promise
    clearTimeout(timer)
    this.#wakeUp = Promise.withResolvers()
  }

  async #claim(): Promise<ClaimedMail[]> {
    const { database, now, worker, mailConcurrency, siteMailsPerHour: ceiling } = this.#deps
    const taken = this.#countTakenPlaces()
    const free = mailConcurrency - taken
    if (free <= 0 || this.#relay.waitMs() > 0) return []
    const isProbe = this.#relay.isAway()
    const maxMails = isProbe ? 1 : free
    const concurrencyAbove0 = Math.max(1, Math.floor(mailConcurrency * maxShareAbove0))
    const maxAbove0 = concurrencyAbove0 - taken
    try {
      if (!(await isMailDue(database, now()))) return []
      const { mails, isFull } = await database.transaction((transaction) =>
        claimMails(transaction, {
          worker,
          now: now(),
          maxMails,
          maxAbove0,
          ceiling,
          isNewestFirst: isProbe,
        }),
      )
      if (isFull && !this.#wasFull) this.#deps.counts.countLimit('site')
      this.#wasFull = isFull
      if (isProbe && mails.length > 0) this.#relay.beginProbe()
      return mails
    } catch (cause) {
      this.#deps.log.error('cannot claim deliveries, trying again', { cause })
      await sleep(afterFaultMs)
      return []
    }
  }

  #begin(mail: ClaimedMail): void {
    // A machine that slept, or a clock that was set forward, ends leases of attempts under way.
    if (this.#inFlight.has(mail.id)) return
    const delivering = this.#deliver(mail).finally(() => {
      this.#inFlight.delete(mail.id)
      this.wake()
    })
    this.#inFlight.set(mail.id, { delivering, startedAt: this.#deps.now() })
  }

  /**
   * A mail whose last reply is late gives its place to others, and goes on waiting for the reply:
   * four of them would otherwise hold up everybody for 10 minutes.
   */
  #countTakenPlaces(): number {
    const { now, mailTimeoutSeconds } = this.#deps
    const timeoutMs = mailTimeoutSeconds * 1000
    const attempts = [...this.#inFlight.values()]
    return attempts.filter(({ startedAt }) => startedAt + timeoutMs > now()).length
  }

  async #finishAll(): Promise<void> {
    await Promise.all([...this.#inFlight.values()].map(({ delivering }) => delivering))
  }

  async #deliver(mail: ClaimedMail): Promise<void> {
    try {
      const outcome = await this.#attempt(mail)
      if (outcome) await this.#recordWithRetries(mail, outcome)
    } catch (cause) {
      // The lease ends, and it goes again with the same Message-ID.
      this.#deps.log.error('a delivery was not finished, it will go again', {
        delivery: mail.id,
        cause,
      })
    }
  }

  /** Returns undefined if the mail is not ours any more. Throws if the database does not answer. */
  async #attempt(mail: ClaimedMail): Promise<MailOutcome | undefined> {
    const { database, mailer, now, worker, mailings: rules } = this.#deps
    const check = await checkBeforeSending(database, mail, { worker, now: now(), rules })
    if (check.kind === 'gone') return undefined
    if (check.kind === 'put-off') return check
    if (check.kind !== 'wanted') return { kind: check.kind }
    const message = this.#compose(mail, check)
    if (!message) {
      return {
        kind: 'unwritten',
        why: unwritable,
        dueAt: this.#afterHoldUp(mail, 'mail-begun', true),
      }
    }
    const startedAt = now()
    const sending = await mailer.send(message)
    switch (sending.kind) {
      case 'accepted':
        this.#relay.reportAnswer()
        return { kind: 'sent', ms: now() - startedAt }
      case 'refused':
        this.#relay.reportAnswer()
        return { kind: 'failed', why: sending.why, words: sending.words, isRefused: true }
      case 'deferred':
        this.#relay.reportAnswer()
        return this.#defer(mail, sending)
      case 'relay-fault':
        return this.#holdUp(mail, sending)
      case 'broken-off':
        return { kind: 'broken-off' }
      default:
        return sending satisfies never
    }
  }

  #defer({ failures }: ClaimedMail, { why, words }: Deferral): MailOutcome {
    const waitSeconds = this.#deps.retrySeconds[failures]
    if (waitSeconds === undefined) return { kind: 'failed', why, words, isRefused: false }
    return { kind: 'deferred', why, words, dueAt: this.#after(waitSeconds * 1000) }
  }

  #holdUp(
    mail: ClaimedMail,
    { why, progress, retryAfterMs }: Omit<RelayFault, 'kind' | 'cause'>,
  ): MailOutcome {
    const isAlone = !this.#relay.isAway()
    this.#relay.reportFault({ isRefusal: progress === 'mail-begun', retryAfterMs })
    const dueAt = this.#afterHoldUp(mail, progress, isAlone)
    return { kind: 'held-up', why, mayBeTheMail: progress !== 'connecting', dueAt }
  }

  #afterHoldUp(
    { queued_at: queuedAt }: Pick<ClaimedMail, 'queued_at'>,
    progress: Progress,
    isAlone: boolean,
  ): number {
    const { now, retrySeconds } = this.#deps
    const firstMs = (retrySeconds[0] ?? 0) * 1000
    return this.#after(holdUpMs({ progress, ageMs: now() - queuedAt, firstMs, isAlone }))
  }

  #after(ms: number): number {
    return this.#deps.now() + spread(ms, this.#deps.random)
  }

  /** Returns undefined if its template cannot be read. */
  #compose(
    { id, message_id: messageId, queued_at: queuedAt }: ClaimedMail,
    { address, token, template }: SendCheck & { kind: 'wanted' },
  ): MailMessage | undefined {
    const delivery = { address, token, messageId, date: new Date(queuedAt) }
    try {
      return composeMail(JSON.parse(template), this.#deps.sender(), delivery)
    } catch (cause) {
      this.#deps.log.error('a mail cannot be written', { delivery: id, cause })
      return undefined
    }
  }

  async #record(mail: ClaimedMail, attempted: MailOutcome): Promise<void> {
    const { database, now, worker, recordEvent, mailings: rules } = this.#deps
    const outcome = await database.transaction(async (transaction) => {
      const at = now()
      const { outcome: judged, back } = await judge(transaction, mail, attempted, {
        now: at,
        rules,
        dueAfterHoldUp: (one) => this.#afterHoldUp(one, 'mail-begun', false),
      })
      const isHeldUpNow = judged.kind === 'held-up' && attempted.kind !== 'held-up'
      if (isHeldUpNow) this.#relay.reportFault({ isRefusal: true })
      const isOurs = await recordOutcome(transaction, mail, judged, { worker, now: at, rules })
      await recordFlow(transaction, judged, { now: at, nextTryMs: this.#relay.waitMs() })
      for (const subscriber of back) await recordEvent(transaction, 'joined', subscriber, at)
      const isRefused = judged.kind === 'failed' && judged.isRefused
      if (isOurs && isRefused) await this.#takeOff(transaction, mail.subscriber, at)
      return judged
    })
    this.#report(mail, outcome)
  }

  async #takeOff(transaction: Transaction, subscriber: number, at: number): Promise<void> {
    if (await leaveTheList(transaction, subscriber, 'undeliverable', at)) {
      await this.#deps.recordEvent(transaction, 'bounced', subscriber, at)
    }
  }

  #report({ id, priority }: ClaimedMail, outcome: MailOutcome): void {
    const { log, counts } = this.#deps
    // Mailings are left out: the day's counts are about sign-ups.
    const isCounted = priority !== mailingPriority
    switch (outcome.kind) {
      case 'sent':
        if (isCounted) counts.countSent(outcome.ms)
        return log.info('delivery sent', { delivery: id, ms: outcome.ms })
      case 'failed':
        if (isCounted) counts.countFailed(outcome.isRefused ? 'refused' : 'gave-up')
        return log.warn('delivery failed', { delivery: id, why: outcome.why })
      case 'deferred':
      case 'held-up':
      case 'unwritten': {
        if (isCounted) counts.countPostponed()
        const until = new Date(outcome.dueAt).toISOString()
        return log.warn('delivery postponed', { delivery: id, why: outcome.why, until })
      }
      default: // nothing was tried, or it does not count
    }
  }

  /** Repeats until the database answers: a mail whose outcome is lost would go out twice. */
  async #recordWithRetries(mail: ClaimedMail, outcome: MailOutcome): Promise<void> {
    for (;;) {
      try {
        return await this.#record(mail, outcome)
      } catch (cause) {
        this.#deps.counts.countRecordFailure()
        if (this.#isStopped) throw cause
        this.#deps.log.error('a delivery cannot be recorded, trying again', {
          delivery: mail.id,
          cause,
        })
        await sleep(afterFaultMs)
      }
    }
  }

  #renewLeases(): void {
    const { database, worker, now, log } = this.#deps
    const ids = [...this.#inFlight.keys()]
    if (ids.length === 0) return
    database
      .transaction((transaction) => renewLeases(transaction, ids, { worker, now: now() }))
      .catch((cause: unknown) => log.error('cannot renew the leases of deliveries', { cause }))
  }
}
