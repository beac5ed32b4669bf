import { describe, expect, test } from 'vitest'
import { accepted, permanent, relayAway, temporary } from '#rigs/mail/programmable-mailer.ts'
import { attempt, makeOutbox, minuteMs } from '#rigs/server/test-outbox.ts'
import { eraseFromTheList, leaveTheList } from '../subscribers/leave-the-list.ts'
import type { MailMessage } from '../transports/mailer.ts'
import { claimMail, leaseMs, record } from './deliveries.ts'
import { send } from './worker.ts'

describe('claiming', () => {
  test('deliveries are claimed in the order of their due times, and not before', async () => {
    const outbox = await makeOutbox()
    await outbox.owe('third@example.com', 3)
    await outbox.owe('first@example.com', 1)
    await outbox.owe('second@example.com', 2)
    await outbox.owe('later@example.com', minuteMs)
    outbox.at(10)
    expect(addressesOf(await claimMail(outbox.deps, 2))).toEqual(['first@example.com', 'second@example.com'])
    const rest = await claimMail(outbox.deps, 2)
    expect(addressesOf(rest)).toEqual(['third@example.com'])
    expect((await claimMail(outbox.deps, 2)).mails).toEqual([])
  })

  test('a claimed delivery cannot be claimed again until its lease ends', async () => {
    const outbox = await makeOutbox()
    await outbox.owe('ada@example.com')
    expect((await claimMail(outbox.deps, 9)).mails).toHaveLength(1)
    const other = { ...outbox.deps, worker: 'another' }
    outbox.at(leaseMs - 1)
    expect((await claimMail(other, 9)).mails).toHaveLength(0)
    outbox.at(leaseMs)
    expect((await claimMail(other, 9)).mails).toHaveLength(1)
  })

  test('a delivery whose worker died goes again with the same Message-ID, date and link', async () => {
    const outbox = await makeOutbox()
    await outbox.owe('ada@example.com')
    const [first] = (await claimMail(outbox.deps, 1)).mails
    await send(outbox.deps, first!)
    outbox.at(10 * minuteMs)
    await outbox.deliverAll({ ...outbox.deps, worker: 'another' })
    const [one, other] = outbox.mailer.attempts.map(({ message }) => message)
    expect(other).toEqual(one)
    expect(await outbox.states()).toEqual(['sent'])
  })

  test('a worker that stood still does not send what another has taken over', async () => {
    const outbox = await makeOutbox()
    await outbox.owe('ada@example.com')
    const [mine] = (await claimMail(outbox.deps, 1)).mails
    outbox.at(10 * minuteMs)
    const another = { ...outbox.deps, worker: 'another' }
    await outbox.deliverAll(another)
    const outcome = await attempt(outbox.deps, mine!)
    expect(outcome.kind).toBe('cancelled')
    await record(outbox.deps, [outcome])
    expect(outbox.mailer.attempts).toHaveLength(1)
    expect(await outbox.states()).toEqual(['sent'])
  })

  test('a claim says when the next delivery is due', async () => {
    const outbox = await makeOutbox()
    await outbox.owe('ada@example.com', 5 * minuteMs)
    expect((await claimMail(outbox.deps, 9)).nothingBefore).toBe(outbox.start + 5 * minuteMs)
  })
})

describe('attempts', () => {
  test('an accepted mail ends its delivery', async () => {
    const outbox = await makeOutbox()
    await outbox.owe('ada@example.com')
    await outbox.deliverAll()
    expect(await outbox.states()).toEqual(['sent'])
    outbox.at(1_000 * minuteMs)
    await outbox.deliverAll()
    expect(outbox.mailer.addresses()).toEqual(['ada@example.com'])
  })

  test('a temporary failure is retried on the schedule, and after the last wait the delivery has failed', async () => {
    const outbox = await makeOutbox({ retrySeconds: [60, 300] })
    await outbox.owe('ada@example.com')
    outbox.mailer.answer(() => temporary)
    for (const [at, attempts, state] of [
      [0, 1, 'queued'],
      [59_999, 1, 'queued'],
      [60_000, 2, 'queued'],
      [359_999, 2, 'queued'],
      [360_000, 3, 'failed'],
      [9_000_000, 3, 'failed'],
    ] as const) {
      outbox.at(at)
      await outbox.deliverAll()
      expect(outbox.mailer.attempts).toHaveLength(attempts)
      expect(await outbox.states()).toEqual([state])
    }
    expect(await outbox.subscriberStates()).toEqual(['undeliverable'])
  })

  test('a permanent failure is not retried', async () => {
    const outbox = await makeOutbox()
    await outbox.owe('ada@example.com')
    outbox.mailer.answer(() => permanent)
    await outbox.deliverAll()
    expect(await outbox.states()).toEqual(['failed'])
    expect(await outbox.subscriberStates()).toEqual(['undeliverable'])
  })

  test('the reason of a failure is stored without the address', async () => {
    const outbox = await makeOutbox()
    await outbox.owe('ada@example.com')
    outbox.mailer.answer(() => temporary)
    await outbox.deliverAll()
    const { last_fault, failures } = await outbox.query
      .selectFrom('deliveries')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect({ last_fault, failures }).toEqual({ last_fault: '451', failures: 1 })
  })

  test('the outcome of a worker that has lost its lease changes nothing', async () => {
    const outbox = await makeOutbox()
    await outbox.owe('ada@example.com')
    const [mail] = (await claimMail(outbox.deps, 1)).mails
    outbox.at(10 * minuteMs)
    await claimMail({ ...outbox.deps, worker: 'another' }, 1)
    outbox.mailer.answer(() => permanent)
    await outbox.query.updateTable('deliveries').set({ failures: 1 }).execute()
    await record(outbox.deps, [await send(outbox.deps, mail!)])
    expect(await outbox.states()).toEqual(['sending'])
  })
})

describe('subscribers who have left since the delivery was queued', () => {
  test.each(['unsubscribed', 'undeliverable'] as const)('%s: not mailed', async (state) => {
    const outbox = await makeOutbox()
    const subscriber = await outbox.owe('ada@example.com')
    await leaveTheList(outbox.deps.database, subscriber, state, outbox.start)
    outbox.at(minuteMs)
    await outbox.deliverAll()
    expect(outbox.mailer.attempts).toEqual([])
    expect(await outbox.states()).toEqual(['cancelled'])
  })

  test('left while the delivery stayed queued: not mailed', async () => {
    const outbox = await makeOutbox()
    await outbox.owe('ada@example.com')
    await outbox.query.updateTable('subscribers').set({ state: 'unsubscribed' }).execute()
    await outbox.deliverAll()
    expect(outbox.mailer.attempts).toEqual([])
    expect(await outbox.states()).toEqual(['cancelled'])
  })

  test('erased: not mailed', async () => {
    const outbox = await makeOutbox()
    await eraseFromTheList(outbox.deps.database, [await outbox.owe('ada@example.com')], outbox.start)
    await outbox.deliverAll()
    expect(outbox.mailer.attempts).toEqual([])
    expect(await outbox.states()).toEqual([])
  })

  test('unsubscribed after the claim: not mailed', async () => {
    const outbox = await makeOutbox()
    const subscriber = await outbox.owe('ada@example.com')
    const [mail] = (await claimMail(outbox.deps, 1)).mails
    await leaveTheList(outbox.deps.database, subscriber, 'unsubscribed', outbox.start)
    await record(outbox.deps, [await attempt(outbox.deps, mail!)])
    expect(outbox.mailer.attempts).toEqual([])
    expect(await outbox.states()).toEqual(['cancelled'])
  })
})

describe('the ceiling of the site', () => {
  test('mail above the ceiling waits for the next hour', async () => {
    const outbox = await makeOutbox({ siteMailsPerHour: 2 })
    for (const name of ['a', 'b', 'c']) await outbox.owe(`${name}@example.com`)
    await outbox.deliverAll()
    expect(outbox.mailer.addresses()).toEqual(['a@example.com', 'b@example.com'])
    expect(await outbox.states()).toEqual(['queued', 'sent', 'sent'])
    const { mails, nothingBefore } = await claimMail(outbox.deps, 9)
    expect({ mails, nothingBefore }).toEqual({ mails: [], nothingBefore: outbox.start + 60 * minuteMs })
    outbox.at(60 * minuteMs)
    await outbox.deliverAll()
    expect(await outbox.states()).toEqual(['sent', 'sent', 'sent'])
  })

  test('failed tries do not count against the ceiling', async () => {
    const outbox = await makeOutbox({ siteMailsPerHour: 1, retrySeconds: [60] })
    await outbox.owe('a@example.com')
    outbox.mailer.answer(() => relayAway)
    await outbox.deliverAll()
    expect(await outbox.states()).toEqual(['queued'])
    outbox.mailer.answer(() => accepted)
    outbox.at(minuteMs)
    await outbox.deliverAll()
    expect(await outbox.states()).toEqual(['sent'])
  })

  test('a restart does not start the hour again', async () => {
    const outbox = await makeOutbox({ siteMailsPerHour: 1 })
    await outbox.owe('a@example.com')
    await outbox.owe('b@example.com')
    await outbox.deliverAll()
    await outbox.deliverAll({ ...outbox.deps, worker: 'after the restart' })
    expect(outbox.mailer.addresses()).toEqual(['a@example.com'])
  })
})

test('the personal link is made with the first mail and stays the same in the next', async () => {
  const outbox = await makeOutbox()
  const subscriber = await outbox.owe('ada@example.com')
  await outbox.deliverAll()
  outbox.mailer.answer(() => accepted)
  await outbox.oweTo(subscriber)
  await outbox.deliverAll()
  const [one, other] = outbox.mailer.attempts.map(({ message }) => kitLinkIn(message))
  expect(one).toMatch(/\/kit\/[\w-]{22}$/)
  expect(other).toBe(one)
})

function kitLinkIn({ raw }: MailMessage): string | undefined {
  return /https?:\S+\/kit\/[\w-]+/.exec(raw ?? '')?.[0]
}

function addressesOf({ mails }: { mails: { address: string }[] }): string[] {
  return mails.map(({ address }) => address)
}
