import { setTimeout as sleep } from 'node:timers/promises'
import { groupCommits } from '../database/group-commits.ts'
import type { ServerContext } from '../start/extension.ts'
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
   * Claims up to `most`, of the lanes above 0 up to `maxAboveLane0`. Nothing more can be claimed before `nextClaimAt`;
   * with `isCeilingReached` this holds for new work too.
   */
  claim(
    most: number,
    maxAboveLane0: number,
  ): Promise<{ claims: Claim[]; nextClaimAt: number; isCeilingReached?: boolean }>
  /** Checked right before each attempt, and repeated until the database answers. */
  isStillWanted?(claim: Claim): Promise<boolean>
  /** Makes one attempt, and leaves it to `record` to store the outcome. */
  attempt(claim: Claim): Promise<Outcome<Claim>>
  /** Also called with claims that are released untried. */
  record(outcomes: readonly Outcome<Claim>[]): Promise<void>
}

export interface WorkerDeps extends Pick<ServerContext, 'database' | 'log' | 'now'> {
  /** Names this process in the leases. */
  worker: string
  /** How many attempts run at once. */
  concurrency: number
}

const renewEveryMs = 15_000
/** The longest sleep: another process (the owner's command line) may have changed what is due. */
const pollMs = 5_000
/** Mails claimed ahead for each parallel send, so that one query serves several. */
const claimsPerSend = 32
/** The rest stays free for mail of lane 0 that arrives later. */
const maxHigherLanesShare = 3 / 4
/** The loop waits this long between claims, so that one claim serves several sign-ups. */
const betweenClaimsMs = 10
/** While sign-ups follow each other within `calmAfterMs`, mails begin at least `betweenMailsMs` apart. */
const calmAfterMs = 20
const betweenMailsMs = 10
/** A commit of this many sign-ups means that the thread is saturated. Mails then begin further apart. */
const underLoad = { signUps: 16, betweenMailsMs: 50 }
const afterFaultMs = 1_000
/** After a database error every instance gets time to record its sent mail before another one claims it again. */
const recordFirstMs = 2 * afterFaultMs
const logFaultEveryMs = 60_000

/** One loop claims what is due. Up to `concurrency` attempts run beside it; each is checked, sent and recorded. */
export class Worker<Claim extends Claimed> {
  readonly #queue: WorkQueue<Claim>
  readonly #deps: WorkerDeps
  readonly #relay: ReturnType<typeof watchRelay>
  readonly #signal = makeSignal()
  readonly #recordInGroups: (outcome: Outcome<Claim>) => Promise<unknown>
  readonly #renewal: NodeJS.Timeout
  readonly #running: Promise<void>
  /** Claimed but not begun, lower lanes first. */
  #waiting: Claim[] = []
  #hasNewMail = false
  /** Claimed but not recorded. */
  readonly #inFlight = new Set<number>()
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
    this.#recordInGroups = groupCommits(record, { timeoutMs: Infinity })
    this.#renewal = setInterval(() => {
      const fail = (cause: unknown) => deps.log.error(`cannot renew the leases of ${queue.name}`, { cause })
      if (this.#inFlight.size > 0) this.#renewLeases().catch(fail)
    }, renewEveryMs)
    this.#running = this.#run()
  }

  /** Wakes the loop, because a delivery was queued; not while the hour's ceiling is reached, since nothing can be claimed. */
  wake(): void {
    this.#hasNewMail = true
    if (this.#deps.now() >= this.#ceilingUntil) this.#signal.notify()
  }

  /** Lets the next sign-ups go before mail, since both need this thread. `signUps`: how many the last commit stored. */
  yieldToSignUps(signUps: number): void {
    this.#signUpAt = this.#deps.now()
    this.#betweenMailsMs = signUps < underLoad.signUps ? betweenMailsMs : underLoad.betweenMailsMs
    this.wake()
  }

  /** Claims nothing more, waits up to `graceMs` for the attempts in flight, and releases the other claims. */
  async stop(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs
    this.#isStopped = true
    clearInterval(this.#renewal)
    clearTimeout(this.#resumption)
    this.#signal.notify()
    const loopEnd = this.#running.then(() => this.#releaseWaiting())
    await Promise.race([loopEnd, sleep(graceMs, undefined, { ref: false })])
    while (this.#inFlight.size > 0 && performance.now() < deadline)
      await this.#signal.wait(deadline - performance.now())
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#sendNext()
      const idleMs = this.#relay.waitMs() || (await this.#claim())
      if (idleMs > 0) await this.#signal.wait(Math.min(idleMs, pollMs))
      if (!this.#isStopped) await sleep(betweenClaimsMs)
    }
  }

  /** Resolves to the time until the next claim, in ms. */
  async #claim(): Promise<number> {
    const { concurrency, log, now } = this.#deps
    // The other mails are left to an instance that reaches its relay.
    const most = this.#relay.isAway() ? 1 : concurrency * claimsPerSend
    const room = most - this.#inFlight.size
    // A query for each mail would cost more than the mail. But new mail may be in a lower lane than the waiting mail.
    const mayOvertake = this.#hasNewMail && room > 0 && (this.#waiting.at(-1)?.lane ?? 0) > 0
    if (room * 2 < most && !mayOvertake) return pollMs
    this.#hasNewMail = false
    const maxAboveLane0 = Math.ceil(most * maxHigherLanesShare) - this.#inFlight.size
    try {
      if (this.#hadClaimFault) await this.#recoverFromFault()
      const { claims, nextClaimAt, isCeilingReached } = await this.#queue.claim(room, maxAboveLane0)
      if (isCeilingReached) this.#ceilingUntil = nextClaimAt
      this.#take(claims)
      return Math.max(0, nextClaimAt - now())
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
    // After a database outage a claim may return mail of our own that is still in flight: its lease has ended.
    const fresh = claims.filter(({ id }) => !this.#inFlight.has(id))
    for (const { id } of fresh) this.#inFlight.add(id)
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
    const isCalm = now - this.#signUpAt > calmAfterMs || now < this.#beganAt // the clock was set back
    return isCalm ? 0 : Math.max(0, this.#beganAt + this.#betweenMailsMs - now)
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
      this.#inFlight.delete(claim.id)
      this.#signal.notify()
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
      if ('isAway' in outcome) this.#relay.report(outcome.isAway, outcome.retryAfterMs)
      else this.#relay.report(false)
      if (this.#relay.isAway()) void this.#releaseWaiting()
      return outcome
    } finally {
      this.#sending -= 1
      this.#sendNext()
    }
  }

  /** Repeats `work` until it succeeds. Logs the first failure, then at most one a minute. */
  async #untilDone<Result>(work: () => Promise<Result>, event: string): Promise<Result> {
    const { log, now } = this.#deps
    for (;;) {
      try {
        return await work()
      } catch (cause) {
        if (this.#isStopped) throw cause
        if (now() - (this.#faultLoggedAt.get(event) ?? -Infinity) >= logFaultEveryMs) {
          this.#faultLoggedAt.set(event, now())
          log.error(event, { inFlight: this.#inFlight.size, cause })
        }
        await sleep(afterFaultMs)
      }
    }
  }

  async #releaseWaiting(): Promise<void> {
    const claims = this.#waiting.splice(0)
    for (const { id } of claims) this.#inFlight.delete(id)
    if (claims.length === 0) return
    const outcomes = claims.map((claim) => ({ claim, kind: 'released' as const }))
    await this.#queue
      .record(outcomes)
      .catch((cause: unknown) =>
        this.#deps.log.warn(`${this.#queue.name} not handed back, they go when their leases end`, { cause }),
      )
  }

  #renewLeases(): Promise<void> {
    const { database, worker, now } = this.#deps
    return this.#queue.table.renew(database.query, this.#inFlight, { worker, now: now() })
  }
}

/** Wakes who waits; without anyone, the next wait ends at once. An abort would make a stack trace per group of sign-ups. */
function makeSignal() {
  let { promise, resolve } = Promise.withResolvers<void>()
  return {
    notify: () => resolve(),
    async wait(ms: number): Promise<void> {
      const timer = setTimeout(resolve, ms)
      await promise
      clearTimeout(timer)
      ;({ promise, resolve } = Promise.withResolvers<void>())
    },
  }
}
