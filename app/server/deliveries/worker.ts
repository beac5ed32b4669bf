import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { groupCommits } from '../database/group-commits.ts'
import type { Log } from '../log.ts'
import type { Outcome, WorkTable } from './claims.ts'
import { watchRelay } from './relay-watch.ts'

interface Claimed {
  id: number
  /** Those of lower lanes go first. */
  lane: number
}

/** Work that several processes share. */
export interface WorkQueue<Claim extends Claimed> {
  /** For the log. */
  name: string
  table: WorkTable
  /**
   * Claims up to `most`; those of a lane above 0 only until `mostBehind` are claimed. `nothingBefore`: when to ask again.
   * `isCeilingReached`: not even for new work.
   */
  claim(
    most: number,
    mostBehind: number,
  ): Promise<{ claims: Claim[]; nothingBefore: number; isCeilingReached?: boolean }>
  /** Asked right before each attempt, again until the database answers. */
  isStillWanted?(claim: Claim): Promise<boolean>
  /** The outcome is not recorded yet. */
  attempt(claim: Claim): Promise<Outcome<Claim>>
  /** Also called with claims that are handed back untried. */
  record(outcomes: readonly Outcome<Claim>[]): Promise<void>
}

export interface WorkerDeps {
  database: Database
  /** Names this process in the leases. */
  worker: string
  log: Log
  /** ms since 1970. */
  now: () => number
  /** How many attempts run at once. */
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
/** So many sign-ups in one commit mean that the thread has no time left. Then a mail begins more seldom. */
const crowd = { signUps: 16, betweenMailsMs: 50 }
const afterFaultMs = 1_000
/** After a database error every instance gets time to record what it has sent before anyone claims it again. */
const recordFirstMs = 2 * afterFaultMs
const logFaultEveryMs = 60_000

/** One loop claims what is due. Up to `concurrency` attempts run beside it; each is checked, sent and recorded. */
export class Worker<Claim extends Claimed> {
  readonly #queue: WorkQueue<Claim>
  readonly #deps: WorkerDeps
  readonly #relay: ReturnType<typeof watchRelay>
  readonly #bell = makeBell()
  readonly #recordInGroups: (outcome: Outcome<Claim>) => Promise<unknown>
  readonly #renewal: NodeJS.Timeout
  readonly #running: Promise<void>
  /** Claimed, and not begun. Lower lanes first. */
  #waiting: Claim[] = []
  #hasNewMail = false
  /** Claimed, and not recorded. */
  readonly #inHand = new Set<number>()
  readonly #faultLoggedAt = new Map<string, number>()
  #sending = 0
  #beganAt = -Infinity
  #signUpAt = -Infinity
  #betweenMailsMs = betweenMailsMs
  #resumption: NodeJS.Timeout | undefined
  #hadClaimFault = false
  #ceilingUntil = 0
  #isStopped = false

  constructor(queue: WorkQueue<Claim>, deps: WorkerDeps) {
    this.#queue = queue
    this.#deps = deps
    this.#relay = watchRelay(deps.now)
    const record = (outcomes: readonly Outcome<Claim>[]) => queue.record(outcomes).then(() => outcomes)
    this.#recordInGroups = groupCommits(record, { patienceMs: Infinity })
    this.#renewal = setInterval(() => {
      const fail = (cause: unknown) => deps.log.error(`cannot renew the leases of ${queue.name}`, { cause })
      if (this.#inHand.size > 0) this.#renewLeases().catch(fail)
    }, renewEveryMs)
    this.#running = this.#run()
  }

  /** A delivery was queued. While the hour's ceiling is reached there is nothing to look for. */
  wake(): void {
    this.#hasNewMail = true
    if (this.#deps.now() >= this.#ceilingUntil) this.#bell.ring()
  }

  /** So many sign-ups were stored in one commit. Those that follow go first: both need this thread. */
  yieldToSignUps(signUps: number): void {
    this.#signUpAt = this.#deps.now()
    this.#betweenMailsMs = signUps < crowd.signUps ? betweenMailsMs : crowd.betweenMailsMs
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
      const { claims, nothingBefore, isCeilingReached } = await this.#queue.claim(room, mostBehind)
      if (isCeilingReached) this.#ceilingUntil = nothingBefore
      this.#take(claims)
      return Math.max(0, nothingBefore - now())
    } catch (cause) {
      log.error(`cannot claim ${this.#queue.name}, trying again`, { cause })
      this.#hadClaimFault = true
      await sleep(afterFaultMs)
      return 0
    }
  }

  async #recoverFromFault(): Promise<void> {
    await this.#renewLeases()
    this.#hadClaimFault = false
    await sleep(recordFirstMs)
  }

  #take(claims: readonly Claim[]): void {
    // A lease that ended while the database was away may be one of ours, with its mail on the way.
    const fresh = claims.filter(({ id }) => !this.#inHand.has(id))
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
    return now - this.#signUpAt > calmAfterMs ? 0 : Math.max(0, this.#beganAt + this.#betweenMailsMs - now)
  }

  async #deliver(claim: Claim): Promise<void> {
    const { name } = this.#queue
    try {
      const outcome = await this.#attempt(claim)
      await this.#untilDone(() => this.#recordInGroups(outcome), `${name} not recorded, trying again`)
    } catch (cause) {
      // The lease ends, and it goes again under the same Message-ID or webhook-id.
      this.#deps.log.error(`one of ${name} not finished, it will go again`, { id: claim.id, cause })
    } finally {
      this.#inHand.delete(claim.id)
      this.#bell.ring()
    }
  }

  async #attempt(claim: Claim): Promise<Outcome<Claim>> {
    this.#sending += 1
    try {
      const { name, isStillWanted, attempt } = this.#queue
      if (isStillWanted) {
        const check = `${name} not checked before sending, trying again`
        if (!(await this.#untilDone(() => isStillWanted(claim), check))) return { claim, kind: 'cancelled' }
      }
      const outcome = await attempt(claim)
      if ('isAway' in outcome) this.#relay.note(outcome.isAway, outcome.retryAfterMs)
      else this.#relay.note(false)
      if (this.#relay.isAway()) void this.#handBackWaiting()
      return outcome
    } finally {
      this.#sending -= 1
      this.#sendNext()
    }
  }

  /** Repeats `work` until the database takes it. The log says so at the first failure, then once a minute. */
  async #untilDone<Result>(work: () => Promise<Result>, event: string): Promise<Result> {
    const { log, now } = this.#deps
    for (;;) {
      try {
        return await work()
      } catch (cause) {
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
    const claims = this.#waiting.splice(0)
    for (const { id } of claims) this.#inHand.delete(id)
    if (claims.length === 0) return
    const outcomes = claims.map((claim) => ({ claim, kind: 'handed-back' as const }))
    await this.#queue
      .record(outcomes)
      .catch((cause: unknown) =>
        this.#deps.log.warn(`${this.#queue.name} not handed back, they go when their leases end`, { cause }),
      )
  }

  #renewLeases(): Promise<void> {
    const { database, worker, now } = this.#deps
    return this.#queue.table.renew(database.query, this.#inHand, { worker, now: now() })
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
