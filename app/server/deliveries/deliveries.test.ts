import { describe, expect, test, vi } from 'vitest'
import { accepted, permanent, relayAway, temporary } from '#rigs/mail/programmable-mailer.ts'
import { attempt, makeTestDeliveries, minuteMs } from '#rigs/server/test-deliveries.ts'
import type { Connection } from '../database/database.ts'
import { eraseSubscribers } from '../subscribers/erase-subscribers.ts'
import { leaveTheList } from '../subscribers/leave-the-list.ts'
import type { MailMessage } from '../transports/mailer.ts'
import { leaseMs } from './claims.ts'
import { claimMail, newClaimFloor, record } from './deliveries.ts'
import { send } from './mail-queue.ts'

describe('claiming', () => {
  test('deliveries are claimed in the order of their due times, and not before they are due', async () => {
    const deliveries = await makeTestDeliveries()
    await deliveries.queue('third@example.com', 3)
    await deliveries.queue('first@example.com', 1)
    await deliveries.queue('second@example.com', 2)
    await deliveries.queue('later@example.com', minuteMs)
    deliveries.at(10)
    expect(addressesOf(await claimMail(deliveries.deps, 2))).toEqual([
      'first@example.com',
      'second@example.com',
    ])
    const rest = await claimMail(deliveries.deps, 2)
    expect(addressesOf(rest)).toEqual(['third@example.com'])
    expect((await claimMail(deliveries.deps, 2)).mails).toEqual([])
  })

  test('a claimed delivery cannot be claimed again until its lease ends', async () => {
    const deliveries = await makeTestDeliveries()
    await deliveries.queue('ada@example.com')
    expect((await claimMail(deliveries.deps, 9)).mails).toHaveLength(1)
    const other = { ...deliveries.deps, worker: 'another' }
    deliveries.at(leaseMs - 1)
    expect((await claimMail(other, 9)).mails).toHaveLength(0)
    deliveries.at(leaseMs)
    expect((await claimMail(other, 9)).mails).toHaveLength(1)
  })

  test('a sign-up that was committed late is found by the next sweep', async () => {
    const deliveries = await makeTestDeliveries()
    const floor = newClaimFloor()
    const claimAt = async (ms: number) => {
      deliveries.at(ms)
      return addressesOf(await claimMail(deliveries.deps, 9, 9, floor))
    }
    await deliveries.queue('ada@example.com', minuteMs)
    expect(await claimAt(minuteMs)).toEqual(['ada@example.com'])
    await deliveries.queue('just-now@example.com', minuteMs - 500)
    await deliveries.queue('late@example.com', minuteMs - 20_000)
    expect(await claimAt(minuteMs + 100)).toEqual(['just-now@example.com'])
    expect(await claimAt(minuteMs + 5_000)).toEqual(['late@example.com'])
  })

  test('a delivery whose claim is rolled back, as on a full disk, is claimed again', async () => {
    const deliveries = await makeTestDeliveries()
    const floor = newClaimFloor()
    await deliveries.queue('ada@example.com')
    deliveries.at(2 * minuteMs)
    const { transaction } = deliveries.query
    vi.spyOn(deliveries.query, 'transaction').mockImplementationOnce(() =>
      Object.assign(transaction.call(deliveries.query), { execute: rolledBack }),
    )
    async function rolledBack(work: (connection: Connection) => Promise<unknown>): Promise<never> {
      return transaction.call(deliveries.query).execute(async (connection) => {
        await work(connection)
        throw new Error('the disk is full')
      })
    }
    await expect(claimMail(deliveries.deps, 9, 9, floor)).rejects.toThrow('the disk is full')
    expect(addressesOf(await claimMail(deliveries.deps, 9, 9, floor))).toEqual(['ada@example.com'])
  })

  test('a retried delivery is claimed although earlier deliveries are no longer read', async () => {
    const deliveries = await makeTestDeliveries()
    const floor = newClaimFloor()
    await deliveries.queue('ada@example.com')
    await deliveries.queue('retried@example.com', 10)
    for (const ms of [0, 1, 2]) {
      deliveries.at(ms)
      await claimMail(deliveries.deps, 9, 9, floor)
    }
    deliveries.at(minuteMs)
    expect(addressesOf(await claimMail(deliveries.deps, 9, 9, floor))).toContain('retried@example.com')
  })

  test('a delivery whose worker died goes again with the same Message-ID, date and link', async () => {
    const deliveries = await makeTestDeliveries()
    await deliveries.queue('ada@example.com')
    const [first] = (await claimMail(deliveries.deps, 1)).mails
    await send(deliveries.deps, first!)
    deliveries.at(10 * minuteMs)
    await deliveries.deliverAll({ ...deliveries.deps, worker: 'another' })
    const [one, other] = deliveries.mailer.attempts.map(({ message }) => message)
    expect(other).toEqual(one)
    expect(await deliveries.states()).toEqual(['sent'])
  })

  test('a worker that was suspended does not send a delivery that another one has taken over', async () => {
    const deliveries = await makeTestDeliveries()
    await deliveries.queue('ada@example.com')
    const [mine] = (await claimMail(deliveries.deps, 1)).mails
    deliveries.at(10 * minuteMs)
    const another = { ...deliveries.deps, worker: 'another' }
    await deliveries.deliverAll(another)
    const outcome = await attempt(deliveries.deps, mine!)
    expect(outcome.kind).toBe('cancelled')
    await record(deliveries.deps, [outcome])
    expect(deliveries.mailer.attempts).toHaveLength(1)
    expect(await deliveries.states()).toEqual(['sent'])
  })

  test('a claim says when the next delivery is due', async () => {
    const deliveries = await makeTestDeliveries()
    await deliveries.queue('ada@example.com', 5 * minuteMs)
    expect((await claimMail(deliveries.deps, 9)).nextClaimAt).toBe(deliveries.start + 5 * minuteMs)
  })
})

describe('attempts', () => {
  test('an accepted mail ends its delivery', async () => {
    const deliveries = await makeTestDeliveries()
    await deliveries.queue('ada@example.com')
    await deliveries.deliverAll()
    expect(await deliveries.states()).toEqual(['sent'])
    deliveries.at(1_000 * minuteMs)
    await deliveries.deliverAll()
    expect(deliveries.mailer.addresses()).toEqual(['ada@example.com'])
  })

  test('a temporary failure is retried on the schedule, and after the last wait the delivery has failed', async () => {
    const deliveries = await makeTestDeliveries({ retrySeconds: [60, 300] })
    await deliveries.queue('ada@example.com')
    deliveries.mailer.answer(() => temporary)
    for (const [at, attempts, state] of [
      [0, 1, 'queued'],
      [59_999, 1, 'queued'],
      [60_000, 2, 'queued'],
      [359_999, 2, 'queued'],
      [360_000, 3, 'failed'],
      [9_000_000, 3, 'failed'],
    ] as const) {
      deliveries.at(at)
      await deliveries.deliverAll()
      expect(deliveries.mailer.attempts).toHaveLength(attempts)
      expect(await deliveries.states()).toEqual([state])
    }
    expect(await deliveries.subscriberStates()).toEqual(['undeliverable'])
  })

  test('a permanent failure is not retried', async () => {
    const deliveries = await makeTestDeliveries()
    await deliveries.queue('ada@example.com')
    deliveries.mailer.answer(() => permanent)
    await deliveries.deliverAll()
    expect(await deliveries.states()).toEqual(['failed'])
    expect(await deliveries.subscriberStates()).toEqual(['undeliverable'])
  })

  test('the reason of a failure is stored without the address', async () => {
    const deliveries = await makeTestDeliveries()
    await deliveries.queue('ada@example.com')
    deliveries.mailer.answer(() => temporary)
    await deliveries.deliverAll()
    const { last_fault, failures } = await deliveries.query
      .selectFrom('deliveries')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect({ last_fault, failures }).toEqual({ last_fault: '451', failures: 1 })
  })

  test('the outcome of a worker that has lost its lease changes nothing', async () => {
    const deliveries = await makeTestDeliveries()
    await deliveries.queue('ada@example.com')
    const [mail] = (await claimMail(deliveries.deps, 1)).mails
    deliveries.at(10 * minuteMs)
    await claimMail({ ...deliveries.deps, worker: 'another' }, 1)
    deliveries.mailer.answer(() => permanent)
    await deliveries.query.updateTable('deliveries').set({ failures: 1 }).execute()
    await record(deliveries.deps, [await send(deliveries.deps, mail!)])
    expect(await deliveries.states()).toEqual(['sending'])
    expect(await deliveries.subscriberStates()).toEqual(['active'])
  })

  test('a mail that is refused after its subscriber was erased does not take the next one off the list', async () => {
    const deliveries = await makeTestDeliveries()
    const erased = await deliveries.queue('ada@example.com')
    const [mail] = (await claimMail(deliveries.deps, 1)).mails
    await eraseSubscribers(deliveries.deps.database, [erased], deliveries.start)
    await deliveries.queue('bob@example.com') // SQLite gives bob the number of ada
    deliveries.mailer.answer(() => permanent)
    await record(deliveries.deps, [await send(deliveries.deps, mail!)])
    expect(await deliveries.subscriberStates()).toEqual(['active'])
    expect(await deliveries.states()).toEqual(['queued'])
  })
})

describe('subscribers who have left since the delivery was queued', () => {
  test.each(['unsubscribed', 'undeliverable'] as const)(
    'a subscriber who became %s is not mailed',
    async (state) => {
      const deliveries = await makeTestDeliveries()
      const subscriber = await deliveries.queue('ada@example.com')
      await leaveTheList(deliveries.deps.database, subscriber, state, deliveries.start)
      deliveries.at(minuteMs)
      await deliveries.deliverAll()
      expect(deliveries.mailer.attempts).toEqual([])
      expect(await deliveries.states()).toEqual(['cancelled'])
    },
  )

  test('a subscriber who left while the delivery stayed queued is not mailed', async () => {
    const deliveries = await makeTestDeliveries()
    await deliveries.queue('ada@example.com')
    await deliveries.query.updateTable('subscribers').set({ state: 'unsubscribed' }).execute()
    await deliveries.deliverAll()
    expect(deliveries.mailer.attempts).toEqual([])
    expect(await deliveries.states()).toEqual(['cancelled'])
  })

  test('an erased subscriber is not mailed', async () => {
    const deliveries = await makeTestDeliveries()
    await eraseSubscribers(
      deliveries.deps.database,
      [await deliveries.queue('ada@example.com')],
      deliveries.start,
    )
    await deliveries.deliverAll()
    expect(deliveries.mailer.attempts).toEqual([])
    expect(await deliveries.states()).toEqual([])
  })

  test('a subscriber who unsubscribed after the claim is not mailed', async () => {
    const deliveries = await makeTestDeliveries()
    const subscriber = await deliveries.queue('ada@example.com')
    const [mail] = (await claimMail(deliveries.deps, 1)).mails
    await leaveTheList(deliveries.deps.database, subscriber, 'unsubscribed', deliveries.start)
    await record(deliveries.deps, [await attempt(deliveries.deps, mail!)])
    expect(deliveries.mailer.attempts).toEqual([])
    expect(await deliveries.states()).toEqual(['cancelled'])
  })
})

describe('the ceiling of the site', () => {
  test('mail above the ceiling waits for the next hour', async () => {
    const deliveries = await makeTestDeliveries({ siteMailsPerHour: 2 })
    for (const name of ['a', 'b', 'c']) await deliveries.queue(`${name}@example.com`)
    await deliveries.deliverAll()
    expect(deliveries.mailer.addresses()).toEqual(['a@example.com', 'b@example.com'])
    expect(await deliveries.states()).toEqual(['queued', 'sent', 'sent'])
    const { mails, nextClaimAt } = await claimMail(deliveries.deps, 9)
    expect({ mails, nextClaimAt }).toEqual({ mails: [], nextClaimAt: deliveries.start + 60 * minuteMs })
    deliveries.at(60 * minuteMs)
    await deliveries.deliverAll()
    expect(await deliveries.states()).toEqual(['sent', 'sent', 'sent'])
  })

  test('an hour that a wrong clock began does not last until its date', async () => {
    const deliveries = await makeTestDeliveries({ siteMailsPerHour: 1 })
    await deliveries.queue('a@example.com')
    await deliveries.queue('b@example.com')
    deliveries.at(30 * 24 * 60 * minuteMs)
    await deliveries.deliverAll()
    deliveries.at(0)
    await deliveries.deliverAll()
    expect(await deliveries.states()).toEqual(['sent', 'sent'])
  })

  test('failed attempts do not count against the ceiling', async () => {
    const deliveries = await makeTestDeliveries({ siteMailsPerHour: 1, retrySeconds: [60] })
    await deliveries.queue('a@example.com')
    deliveries.mailer.answer(() => relayAway)
    await deliveries.deliverAll()
    expect(await deliveries.states()).toEqual(['queued'])
    deliveries.mailer.answer(() => accepted)
    deliveries.at(minuteMs)
    await deliveries.deliverAll()
    expect(await deliveries.states()).toEqual(['sent'])
  })

  test('a restart does not start a new hour', async () => {
    const deliveries = await makeTestDeliveries({ siteMailsPerHour: 1 })
    await deliveries.queue('a@example.com')
    await deliveries.queue('b@example.com')
    await deliveries.deliverAll()
    await deliveries.deliverAll({ ...deliveries.deps, worker: 'after the restart' })
    expect(deliveries.mailer.addresses()).toEqual(['a@example.com'])
  })
})

test('the personal link is made with the first mail and stays the same in the next', async () => {
  const deliveries = await makeTestDeliveries()
  const subscriber = await deliveries.queue('ada@example.com')
  await deliveries.deliverAll()
  deliveries.mailer.answer(() => accepted)
  await deliveries.queueFor(subscriber)
  await deliveries.deliverAll()
  const [one, other] = deliveries.mailer.attempts.map(({ message }) => kitLinkIn(message))
  expect(one).toMatch(/\/kit\/[\w-]{22}$/)
  expect(other).toBe(one)
})

function kitLinkIn({ raw }: MailMessage): string | undefined {
  return /https?:\S+\/kit\/[\w-]+/.exec(raw ?? '')?.[0]
}

function addressesOf({ mails }: { mails: { address: string }[] }): string[] {
  return mails.map(({ address }) => address)
}
