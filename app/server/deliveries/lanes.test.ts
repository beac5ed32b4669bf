import { describe, expect, test } from 'vitest'
import { makeTestDeliveries, minuteMs } from '#rigs/server/test-deliveries.ts'
import { openList, start } from '#rigs/server/test-list.ts'
import { claimMail, record } from './deliveries.ts'

describe('a claim', () => {
  test('takes lower lanes first, and the oldest first inside a lane', async () => {
    const deliveries = await makeTestDeliveries()
    for (const [name, dueAt, lane] of [
      ['announcement', 1, 9],
      ['busy-first', 2, 3],
      ['busy-second', 3, 3],
      ['less-busy', 4, 1],
      ['quiet-first', 5, 0],
      ['quiet-second', 6, 0],
      ['quiet-later', minuteMs, 0],
    ] as const)
      await deliveries.queue(`${name}@example.com`, dueAt, lane)
    deliveries.at(10)
    expect(await claimNames(deliveries, 2)).toEqual(['quiet-first', 'quiet-second'])
    expect(await claimNames(deliveries, 2)).toEqual(['less-busy', 'busy-first'])
    expect(await claimNames(deliveries, 9)).toEqual(['busy-second', 'announcement'])
  })

  test('takes mail of higher lanes only up to their limit', async () => {
    const deliveries = await makeTestDeliveries()
    for (const name of ['a', 'b', 'c']) await deliveries.queue(`quiet-${name}@example.com`)
    for (const name of ['a', 'b', 'c']) await deliveries.queue(`busy-${name}@example.com`, 0, 3)
    expect(await claimNames(deliveries, 9, 4)).toEqual(['quiet-a', 'quiet-b', 'quiet-c', 'busy-a'])
    expect(await claimNames(deliveries, 9, 0)).toEqual([])
  })
})

describe('the ceiling of the site', () => {
  test('reserves three quarters for lane 0 at first, and releases them as the hour passes', async () => {
    const deliveries = await makeTestDeliveries({ siteMailsPerHour: 8 })
    for (let index = 0; index < 9; index += 1) await deliveries.queue(`${index}@example.com`, 0, 3)
    await deliveries.deliverAll()
    expect(deliveries.mailer.attempts).toHaveLength(2)
    const { nextClaimAt } = await claimMail(deliveries.deps, 9)
    expect(nextClaimAt).toBe(deliveries.start + 1)
    deliveries.at(30 * minuteMs)
    await deliveries.deliverAll()
    expect(deliveries.mailer.attempts).toHaveLength(5)
    const next = await claimMail(deliveries.deps, 9)
    deliveries.at(next.nextClaimAt - deliveries.start - 1)
    expect((await claimMail(deliveries.deps, 9)).mails).toHaveLength(0)
    deliveries.at(next.nextClaimAt - deliveries.start)
    expect((await claimMail(deliveries.deps, 9)).mails).toHaveLength(1)
  })

  test('has room for lane 0 when the other lanes have used up theirs', async () => {
    const deliveries = await makeTestDeliveries({ siteMailsPerHour: 8 })
    for (let index = 0; index < 9; index += 1) await deliveries.queue(`${index}@example.com`, 0, 3)
    await deliveries.deliverAll()
    for (let index = 0; index < 9; index += 1) await deliveries.queue(`quiet-${index}@example.com`)
    const { mails } = await claimMail(deliveries.deps, 9)
    expect(mails.map(({ lane }) => lane)).toEqual([0, 0, 0, 0, 0, 0])
  })

  test('lets an announcement take only what is left, and never before mail of a lower lane', async () => {
    const deliveries = await makeTestDeliveries({ siteMailsPerHour: 10 })
    for (let index = 0; index < 9; index += 1) await deliveries.queue(`all-${index}@example.com`, 0, 9)
    await deliveries.deliverAll()
    expect(deliveries.mailer.addresses()).toEqual(['all-0@example.com'])
    for (let index = 0; index < 3; index += 1) await deliveries.queue(`busy-${index}@example.com`, 0, 3)
    await deliveries.deliverAll()
    expect(deliveries.mailer.addresses().slice(1)).toEqual(['busy-0@example.com', 'busy-1@example.com'])
    deliveries.at(30 * minuteMs)
    expect(await claimNames(deliveries, 9)).toEqual(['busy-2', 'all-1', 'all-2'])
  })

  test('fifty networks at their limits for an hour delay no visitor by more than 5 s, and all get their mail', async () => {
    const { waitedMs, sentInFirstHour, refused, left } = await simulateFlood()
    expect(refused).toBe(0)
    expect(waitedMs).toHaveLength(100)
    expect(Math.max(...waitedMs)).toBeLessThanOrEqual(5_000)
    expect(sentInFirstHour).toBeGreaterThan(590)
    expect(left).toBe(0)
  })
})

test.each([
  // The ceiling of ten minutes refuses most of them; raised, the ceiling of the site alone spreads their mail.
  { ceiling: 20, accepted: 120, mailed: 120 },
  { ceiling: 1_000, accepted: 1_000, mailed: 600 },
])(
  '1,000 students behind one address in an hour, with $ceiling in ten minutes: $accepted are accepted, $mailed mailed in that hour',
  async ({ ceiling, accepted, mailed }) => {
    const { list, deps, clock } = await openSite({
      signUpsPerNetworkIn10Minutes: ceiling,
      signUpsPerNetworkADay: 200,
    })
    let [taken, sent] = [0, 0]
    for (clock.second = 0; clock.second < 3_600; clock.second += 36) {
      const names = Array.from({ length: 10 }, (_, index) => `s${clock.second}-${index}@example.com`)
      const outcomes = await list.signUpTogether(names, clock.second * 1_000)
      taken += outcomes.filter(({ kind }) => kind === 'registered').length
      sent += await deliverTo(deps)
    }
    expect(taken).toBe(accepted)
    expect(sent).toBeGreaterThan(mailed - 8)
    while (clock.second < 2 * 3_600) {
      clock.second += 600
      sent += await deliverTo(deps)
    }
    expect(sent).toBe(accepted)
  },
)

type Deliveries = Awaited<ReturnType<typeof makeTestDeliveries>>

async function claimNames({ deps }: Deliveries, most: number, maxAboveLane0?: number): Promise<string[]> {
  const { mails } = await claimMail(deps, most, maxAboveLane0)
  return mails.map(({ address }) => address.split('@')[0]!)
}

const ceiling = 600
/** The rate of a relay with four connections. */
const mailsPerSecond = 16

/**
 * 50 networks, each with 20 sign-ups in ten minutes, half of them at once and half in four parts, and 100 visitors on
 * networks of their own.
 */
async function simulateFlood() {
  const { list, deps, clock } = await openSite({ signUpsPerNetworkIn10Minutes: 20 })
  const waitedMs: number[] = []
  let sent = 0
  let refused = 0
  let mayClaimAt = 0

  async function signUp(addresses: string[], network: string) {
    const outcomes = await list.signUpTogether(addresses, clock.second * 1_000, {
      network,
      widerNetwork: undefined,
    })
    refused += outcomes.filter(({ kind }) => kind === 'refused').length
    mayClaimAt = 0
  }
  async function deliver(most: number) {
    if (deps.now() < mayClaimAt) return
    const { mails, nextClaimAt } = await claimMail(deps, most)
    mayClaimAt = nextClaimAt
    for (const { address, queued_at } of mails)
      if (address.startsWith('visitor')) waitedMs.push(deps.now() - queued_at)
    await record(
      deps,
      mails.map((claim) => ({ claim, kind: 'sent', ms: 0 })),
    )
    sent += mails.length
  }

  for (; clock.second < 3_600; clock.second += 1) {
    for (let network = 0; network < 50; network += 1) {
      const everySeconds = network % 2 ? 600 : 150
      if (clock.second % everySeconds > 0) continue
      const bots = Array.from(
        { length: everySeconds / 30 },
        (_, n) => `bot${n}-${clock.second}-${network}@example.com`,
      )
      await signUp(bots, `busy ${network}`)
    }
    if (clock.second % 36 === 1) await signUp([`visitor${clock.second}@example.com`], `quiet ${clock.second}`)
    await deliver(mailsPerSecond)
  }
  const sentInFirstHour = sent
  for (; clock.second < 12 * 3_600; clock.second += 600) await deliver(ceiling)
  return { waitedMs, sentInFirstHour, refused, left: await list.countDeliveries('queued') }
}

/** With a clock that only the test moves. */
async function openSite(limits: Parameters<typeof openList>[0]) {
  const list = await openList(limits)
  const { database } = list
  // No power is cut here, so nothing has to reach the disk.
  if (database.engine === 'sqlite') await database.runScript('pragma synchronous = off')
  const clock = { second: 0 }
  const now = () => start + clock.second * 1_000
  return { list, clock, deps: { database, now, worker: 'w', siteMailsPerHour: ceiling } }
}

/** Sends all that may go now. */
async function deliverTo(deps: Parameters<typeof claimMail>[0]): Promise<number> {
  const { mails } = await claimMail(deps, ceiling)
  const outcomes = mails.map((claim) => ({ claim, kind: 'sent' as const, ms: 0 }))
  await record(deps, outcomes)
  return mails.length
}
