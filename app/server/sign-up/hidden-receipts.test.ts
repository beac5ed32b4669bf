import { expect, test } from 'vitest'
import { minuteMs, openList, start } from '#rigs/server/test-list.ts'
import type { ClaimedMail, Outcome } from '../deliveries/deliveries.ts'
import { MailFlow } from '../deliveries/mail-flow.ts'
import { createReceipts } from './receipts.ts'
import type { SignUpOutcome } from './register-sign-ups.ts'

// With HIDE_ALREADY_EXISTS receipts must not tell who is on the list: neither by a state nor by its time.

const kinds = ['unknown', 'known', 'unsubscribed', 'limited', 'known and limited'] as const
type Kind = (typeof kinds)[number]
type Ages = Record<Kind, number[]>
/** Seconds after the sign-up; a patient stranger asks more often than the page, and longer. */
const askedAt = [0, 2, 3, 4, 6, 8, 10, 15, 30, 60]
const never = Infinity

/** How a relay treats the mails of one round: how long the hand-over takes, or why there is none. */
type Relay = (random: () => number) => number | 'away' | 'mute'

const quick: Relay = (random) => 50 + 400 * random()
/** Half of the mails take up to 25 s longer than the others. */
const uneven: Relay = (random) => 100 + 800 * random() + (random() < 0.5 ? 25_000 * random() : 0)

/** At which age each kind of address is first told that the mail has left, round by round. */
async function watchRounds(rounds: number, relayAt: (round: number) => Relay): Promise<Ages> {
  const random = pseudoRandom(1)
  let time = start
  const now = () => time
  const list = await openList({ hideAlreadyExists: true, mailsPerAddressADay: 2 })
  const { query } = list.database
  const mailFlow = new MailFlow(now, random)
  const context = { database: list.database, secret: 's', hideAlreadyExists: true, mailFlow, now }
  const receipts = createReceipts({ ...context, isMailSlow: () => false })

  const early = ['known@example.com', 'limited+1@example.com', 'limited+2@example.com']
  const left = Array.from({ length: rounds }, (_, round) => `left-${round}@example.com`)
  await list.signUpTogether([...early, ...left])
  await query
    .updateTable('subscribers')
    .set({ state: 'unsubscribed' })
    .where('identity', 'in', left)
    .execute()
  await query
    .updateTable('deliveries')
    .set({ state: 'sent', finished_at: start + 100 })
    .execute()

  const ages: Ages = { unknown: [], known: [], unsubscribed: [], limited: [], 'known and limited': [] }
  for (let round = 0; round < rounds; round += 1) {
    time += minuteMs + Math.floor(minuteMs * random())
    const addresses = { unknown: `new-${round}@example.com`, known: early[0]!, unsubscribed: left[round]! }
    const limited = { limited: 'limited@example.com', 'known and limited': early[1]! }
    const typed: Record<Kind, string> = { ...addresses, ...limited }
    const outcomes = await list.signUpTogether(Object.values(typed), time - start)
    const given = receipts.issue(outcomes)
    const begunAt = time
    const relay = relayAt(round)
    const attempts = outcomes
      .filter(isMailed)
      .map((outcome) => attemptOf(outcome, relay(random), mailFlow, begunAt))
    const told = new Map<number, number>()
    for (const age of askedAt) {
      for (const attempt of attempts) {
        if (attempt.isOver || attempt.endsAt > begunAt + age * 1000) continue
        time = attempt.endsAt
        attempt.end()
        if (attempt.isSent)
          await query
            .updateTable('deliveries')
            .set({ state: 'sent', finished_at: time })
            .where('subscriber', '=', attempt.subscriber)
            .where('queued_at', '=', begunAt)
            .execute()
      }
      time = begunAt + age * 1000
      const statuses = await Promise.all(given.map((receipt) => receipts.read(receipt)))
      statuses.forEach((status, place) => {
        const isTold = status!.status.state === 'handed-over'
        if (isTold && !told.has(place)) told.set(place, age)
        expect(isTold, 'a receipt never takes back what it said').toBe(told.has(place))
        if (!isTold) expect(status!.status.state).toBe(age < 8 ? 'waiting' : 'slow')
      })
    }
    kinds.forEach((kind, place) => ages[kind].push(told.get(place) ?? never))
    for (const attempt of attempts) if (!attempt.isOver) attempt.end()
  }
  return ages
}

const isMailed = (outcome: SignUpOutcome) => outcome.kind === 'registered' || 'resentAt' in outcome

function attemptOf(outcome: SignUpOutcome, fate: ReturnType<Relay>, mailFlow: MailFlow, begunAt: number) {
  const finish = mailFlow.begin()
  const mail = { failures: 0, queued_at: begunAt } as ClaimedMail // the flow reads no more of it
  const failed = { mail, kind: 'postponed', why: '', dueAt: 0, isRelayAway: true, retryAfterMs: 0 } as const
  const results: Outcome = typeof fate === 'number' ? { mail, kind: 'sent', ms: fate } : failed
  const attempt = {
    subscriber: ('subscriber' in outcome && outcome.subscriber) || 0,
    isSent: typeof fate === 'number',
    endsAt: fate === 'mute' ? Infinity : begunAt + (fate === 'away' ? 40 : Math.round(fate)),
    isOver: false,
    end() {
      attempt.isOver = true
      finish(results)
    },
  }
  return attempt
}

test('with a quick relay every kind of address is told at the same age', async () => {
  const ages = await watchRounds(8, () => quick)
  for (const kind of kinds) expect(new Set(ages[kind]), kind).toEqual(new Set([4]))
})

test('with an uneven relay no kind of address can be told by its times', async () => {
  const rounds = 120
  const ages = await watchRounds(rounds, () => uneven)
  expect(new Set(ages.unknown).size).toBeGreaterThan(3)
  // Kolmogorov and Smirnov: equal distributions are farther apart once in 1,000 samples of this size.
  const farApart = 1.95 * Math.sqrt(2 / rounds)
  for (const kind of kinds) expect(distance(ages[kind], ages.unknown), kind).toBeLessThan(farApart)
})

test.each(['away', 'mute'] as const)(
  'while the relay is %s nobody is told, and afterwards everybody',
  async (fate) => {
    const ages = await watchRounds(12, (round) => (round < 4 || round >= 8 ? quick : () => fate))
    for (const kind of kinds)
      expect(ages[kind], kind).toEqual([...Array(4).fill(4), ...Array(4).fill(never), ...Array(4).fill(4)])
  },
)

/** The largest distance between the two empirical distribution functions. */
function distance(one: readonly number[], other: readonly number[]): number {
  const share = (ages: readonly number[], upTo: number) =>
    ages.filter((age) => age <= upTo).length / ages.length
  return Math.max(...askedAt.map((age) => Math.abs(share(one, age) - share(other, age))))
}

/** Mulberry32: the same numbers in every run. */
function pseudoRandom(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
