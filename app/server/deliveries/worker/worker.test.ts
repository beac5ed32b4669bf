import sql from 'sql-template-tag'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { accepted, permanent, relayAway, temporary } from '#rigs/mail/programmable-mailer.ts'
import { expectAll, queue } from '#rigs/server/mail-queue.ts'
import { addresses } from '#rigs/server/people.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { deliveriesIn, deliveryStates, subscriberStates } from '#rigs/server/rows.ts'
import { testApp } from '#rigs/server/test-app.ts'
import { writeSiteSettings } from '../../settings/site-settings.ts'
import type { SendOutcome } from '../../transports/mailer.ts'
import { leaseMs } from '../deliveries.ts'
import { readMailFlow } from '../mail-state.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe('the worker', () => {
  test('sends many mails once each, and no more at a time than allowed', async () => {
    const app = await testApp()
    let atOnce = 0
    let most = 0
    const four = Promise.withResolvers<void>()
    app.mailer.answer(async () => {
      most = Math.max(most, (atOnce += 1))
      if (atOnce === 4) four.resolve()
      await four.promise
      await new Promise(setImmediate)
      atOnce -= 1
      return accepted
    })
    await queue(app, addresses(100))
    await expectAll(app, 'sent')
    expect(app.mailer.addresses().toSorted()).toEqual(addresses(100).toSorted())
    expect(most).toBe(4)
  })

  test('is not held up by recipients whose mail is refused, postponed or unanswered', async () => {
    const app = await testApp()
    const mute = Promise.withResolvers<SendOutcome>()
    app.mailer.answer((address) => {
      if (address.startsWith('mute')) return mute.promise
      if (address.startsWith('refused')) return permanent
      return address.startsWith('later') ? temporary : accepted
    })
    await queue(app, [
      'mute@example.com',
      'refused@example.com',
      'later@example.com',
      ...addresses(60),
    ])
    const others = addresses(60).map(() => 'sent')
    await expect
      .poll(() => deliveryStates(app.database))
      .toEqual(['sending', 'failed', 'queued', ...others])
    mute.resolve(accepted)
    await expect
      .poll(() => deliveryStates(app.database))
      .toEqual(['sent', 'failed', 'queued', ...others])
  })

  test('is not held up by mails that cannot be written', async () => {
    const app = await testApp()
    await app.change(sql`insert into mail_templates (hash, content) values ('broken', 'no JSON')`)
    await queueMails(app.database, addresses(5), { now: app.clock.now() + hourMs })
    await app.change(sql`
      update deliveries set template = 'broken', queued_at = queued_at - ${2 * hourMs}`)
    app.clock.advance(hourMs)
    await queue(app, ['whole@example.com'])
    await expect.poll(() => app.mailer.addresses()).toEqual(['whole@example.com'])
    await expect.poll(() => app.log()).toMatch(/"a mail cannot be written","delivery":\d/)
    expect((await deliveriesIn(app.database)).at(0)).toMatchObject({
      state: 'queued',
      failures: 0,
      last_fault: 'the mail cannot be written',
      due_at: app.clock.now() + hourMs, // half as long as it has waited
    })
    expect(app.log()).toMatch(
      /"delivery postponed","delivery":\d,"why":"the mail cannot be written"/,
    )
    await app.stopServer()
    expect((await readMailFlow(app.database, app.clock.now())).relayAway).toBeUndefined()
  })

  test('stops after the attempts in flight, hands back what it has not tried, and sends nothing more', async () => {
    const app = await testApp()
    const sending = app.mailer.hold()
    await queue(app, addresses(20))
    await expect.poll(() => app.mailer.attempts).toHaveLength(4)
    let hasStopped = false
    const stopping = app.stopServer().then(() => (hasStopped = true))
    await expect.poll(() => app.server.listening).toBe(false)
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate)
    expect(hasStopped).toBe(false)
    sending(accepted)
    await stopping
    const found = await deliveryStates(app.database)
    expect(found.toSorted()).toEqual([
      ...addresses(16).map(() => 'queued'),
      'sent',
      'sent',
      'sent',
      'sent',
    ])
    expect(app.mailer.attempts).toHaveLength(4)
  })

  test('does not send a mail twice when its lease ends during the attempt', async () => {
    const app = await testApp()
    const sending = app.mailer.hold('slow')
    await queue(app, ['slow@example.com'])
    await expect.poll(() => app.mailer.attempts).toHaveLength(1)
    app.clock.advance(2 * leaseMs)
    await queue(app, ['next@example.com'])
    await expect.poll(() => deliveryStates(app.database)).toEqual(['sending', 'sent'])
    sending(accepted)
    await expectAll(app, 'sent')
    expect(app.mailer.addresses()).toEqual(['slow@example.com', 'next@example.com'])
  })
})

describe('the order of the queue', () => {
  test('is by priority, then by time', async () => {
    const app = await testApp({ config: { mailConcurrency: 1 } })
    const first = app.mailer.hold('first')
    await queue(app, ['first@example.com'], 1)
    await expect.poll(() => app.mailer.attempts).toHaveLength(1)
    await queueMails(app.database, ['news@example.com'], { priority: 9 })
    await queueMails(app.database, ['busy-1@example.com', 'busy-2@example.com'], { priority: 1 })
    await queueMails(app.database, ['quiet-1@example.com', 'quiet-2@example.com'])
    first(accepted)
    await expectAll(app, 'sent')
    const names = app.mailer.addresses().map((address) => address.split('@')[0])
    expect(names).toEqual(['first', 'quiet-1', 'quiet-2', 'busy-1', 'busy-2', 'news'])
    await expect
      .poll(app.log)
      .toMatch(/"level":"info",.*"event":"delivery sent","delivery":2,"ms":\d/)
    expect(await app.countsAtStop()).toMatchObject({ delivered: 5 }) // without the news
  })

  test('leaves a quarter of the connections to the mail of quiet networks', async () => {
    const app = await testApp()
    const busy = Promise.withResolvers<SendOutcome>()
    app.mailer.answer((address) => (address.startsWith('quiet') ? accepted : busy.promise))
    await queue(app, addresses(10), 1)
    await queue(app, ['quiet@example.com'])
    await expect.poll(() => app.mailer.addresses()).toContain('quiet@example.com')
    await expect.poll(() => app.mailer.attempts).toHaveLength(4)
    busy.resolve(accepted)
    await expectAll(app, 'sent')
  })
})

describe('mail that waits while the owner changes the settings', () => {
  test('goes out with the sender, the reply address and the links of now', async () => {
    const app = await testApp({ config: { source: {} } }) // the desk's settings count
    app.mailer.answer(() => relayAway)
    await queue(app, ['ada@example.com'])
    await expect.poll(() => app.mailer.attempts.length).toBeGreaterThan(0)
    await app.database.transaction((transaction) =>
      writeSiteSettings(transaction, {
        MAIL_FROM: 'New <new@other.example>',
        PUBLIC_URL: 'https://new.example',
      }),
    )
    await app.context.settings.refresh()
    app.mailer.answer(() => accepted)
    app.later(minuteMs)
    await expectAll(app, 'sent')
    const { message } = app.mailer.attempts.at(-1)!
    expect(message).toMatchObject({
      from: { name: 'New', address: 'new@other.example' },
      replyTo: 'new@other.example',
    })
    expect(message.text).toContain('https://new.example/kit/')
    expect(message.messageId).toBe(app.mailer.attempts[0]!.message.messageId)
  })
})

describe('when a worker dies', () => {
  test('its mail goes again once the lease ends, with the same message; its own outcome then changes nothing', async () => {
    const dying = await testApp({ config: { mailConcurrency: 1 } })
    const sending = dying.mailer.hold()
    await dying.signUp('ada@example.com')
    await expect.poll(() => dying.mailer.attempts).toHaveLength(1)
    const next = await testApp({ databaseUrl: dying.databaseUrl })
    await queue(next, ['bob@example.com'])
    await expect.poll(() => next.mailer.addresses()).toContain('bob@example.com')
    expect(next.mailer.addresses()).toEqual(['bob@example.com'])
    const sendingAgain = next.mailer.hold()
    next.later(leaseMs)
    await expect.poll(() => next.mailer.attempts.slice(1)).toEqual(dying.mailer.attempts)
    sending(permanent)
    await dying.stopServer()
    expect(await deliveryStates(next.database)).toEqual(['sending', 'sent'])
    sendingAgain(accepted)
    await expectAll(next, 'sent')
    expect(await subscriberStates(next.database)).toMatchObject({ 'ada@example.com': 'active' })
  })
})

test('an attempt that takes long keeps its lease by renewing it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = await testApp()
  const renew = () => vi.advanceTimersByTime(15_000)
  const leaseEnd = async () => (await deliveriesIn(app.database))[0]!.due_at
  renew() // there is nothing to renew
  const sending = app.mailer.hold()
  await queue(app, ['ada@example.com'])
  await expect.poll(() => app.mailer.attempts).toHaveLength(1)
  const before = await leaseEnd()
  app.clock.advance(30_000)
  renew()
  await expect.poll(leaseEnd).toBeGreaterThanOrEqual(before + 30_000)
  expect(app.log()).not.toContain('cannot renew')
  await app.database.script('alter table deliveries rename column worker to gone')
  renew()
  await expect.poll(app.log).toMatch(/"cannot renew the leases of deliveries","cause"/)
  await app.database.script('alter table deliveries rename column gone to worker')
  sending(accepted)
  await expect.poll(app.log).toMatch(/"event":"delivery sent","delivery":1,"ms":30000}/)
})

test('mail that falls due goes without anybody waking the worker', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = await testApp()
  await queueMails(app.database, ['ada@example.com'])
  await expect
    .poll(() => {
      vi.advanceTimersByTime(1_000)
      return app.mailer.addresses()
    })
    .toEqual(['ada@example.com'])
})

describe('when the database fails', () => {
  test('mail is claimed later', async () => {
    const app = await testApp()
    await app.database.script('alter table deliveries rename column worker to gone')
    await queue(app, ['ada@example.com'])
    await expect.poll(app.log).toMatch(/"cannot claim deliveries, trying again","cause"/)
    await app.database.script('alter table deliveries rename column gone to worker')
    await expectAll(app, 'sent')
    expect(app.log()).not.toContain('not finished')
  })

  test('an outcome is recorded later, and the mail is not sent again', async () => {
    const app = await testApp({ config: { metricsToken: 'm'.repeat(22) } })
    const sending = app.mailer.hold()
    await queue(app, ['ada@example.com'])
    await expect.poll(() => app.mailer.attempts).toHaveLength(1)
    await app.database.script('alter table deliveries rename column finished_at to gone')
    sending(accepted)
    const headers = { authorization: `Bearer ${'m'.repeat(22)}` }
    const metrics = async () => (await app.inject({ url: '/metrics', headers })).body
    await expect.poll(metrics).toMatch(/record_failures_total [1-9]/)
    await app.database.script('alter table deliveries rename column gone to finished_at')
    await expectAll(app, 'sent')
    expect(app.mailer.attempts).toHaveLength(1)
    await expect.poll(metrics).toContain('send_duration_seconds_count 1\n')
    expect(app.log().match(/cannot be recorded, trying again","delivery":1/g)).toHaveLength(1)
    expect(await app.countsAtStop()).toMatchObject({ delivered: 1 })
  })
})
