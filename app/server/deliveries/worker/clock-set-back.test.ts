import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { accepted, temporary } from '#rigs/mail/programmable-mailer.ts'
import { expectAll, passMinute, queue } from '#rigs/server/mail-queue.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { deliveriesIn } from '#rigs/server/rows.ts'
import { testApp } from '#rigs/server/test-app.ts'
import { leaseMs } from '../deliveries.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe('after a clock that was ahead by 23 hours is set back', () => {
  const aheadMs = 23 * hourMs

  test('new mail goes at once, and mail that was not tried is due', async () => {
    const app = await testApp()
    app.clock.advance(aheadMs)
    await queueMails(app.database, ['old@example.com'], { now: app.clock.now() + 2 * minuteMs })
    app.clock.advance(-aheadMs)
    await queue(app, ['new@example.com'])
    await expect.poll(() => app.mailer.addresses()).toEqual(['new@example.com'])
    await passMinute(app)
    await expect.poll(() => app.mailer.addresses()).toEqual(['new@example.com', 'old@example.com'])
  })

  test('mail that its recipient deferred waits no longer than its own last wait', async () => {
    const app = await testApp({ config: { retrySeconds: [60, 24 * 60 * 60] } })
    app.clock.advance(aheadMs)
    app.mailer.answer(() => temporary)
    await queue(app, ['ada@example.com'])
    await expect
      .poll(() => deliveriesIn(app.database))
      .toMatchObject([{ state: 'queued', failures: 1 }])
    app.clock.advance(-aheadMs)
    app.mailer.answer(() => accepted)
    await passMinute(app)
    const [mail] = await deliveriesIn(app.database)
    expect(mail!.due_at - app.clock.now()).toBeLessThanOrEqual(minuteMs)
    app.later(minuteMs)
    await expectAll(app, 'sent')
  })

  test('a mail that is being sent is not sent twice', async () => {
    const app = await testApp()
    app.clock.advance(aheadMs)
    const sending = app.mailer.hold()
    await queue(app, ['ada@example.com'])
    await expect.poll(() => app.mailer.attempts).toHaveLength(1)
    app.clock.advance(-aheadMs)
    await passMinute(app)
    const [mail] = await deliveriesIn(app.database)
    expect(mail!.due_at - app.clock.now()).toBeGreaterThan(leaseMs / 2)
    expect(mail!.due_at - app.clock.now()).toBeLessThanOrEqual(leaseMs)
    sending(accepted)
    await expectAll(app, 'sent')
    expect(app.mailer.attempts).toHaveLength(1)
  })

  test('a wait that goes on is left alone', async () => {
    const app = await testApp({ config: { retrySeconds: [24 * 60 * 60] } })
    app.mailer.answer(() => temporary)
    await queue(app, ['ada@example.com'])
    await expect
      .poll(() => deliveriesIn(app.database))
      .toMatchObject([{ state: 'queued', failures: 1 }])
    const before = await deliveriesIn(app.database)
    await passMinute(app)
    expect(await deliveriesIn(app.database)).toEqual(before)
  })
})

test('what an instance wrote whose clock is ahead by half a minute is left alone', async () => {
  const app = await testApp()
  const ahead = app.clock.now() + 30_000
  await queueMails(app.database, ['ada@example.com'], { now: ahead })
  app.later(30_000)
  await expectAll(app, 'sent')
  app.clock.advance(-30_000)
  await passMinute(app)
  expect(await app.database.rows(sql`select queued_at from deliveries`)).toEqual([
    { queued_at: ahead },
  ])
})
