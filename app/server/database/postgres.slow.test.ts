import { spawnSync } from 'node:child_process'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findPostgresPrograms } from '#rigs/database/postgres-programs.ts'
import { type PostgresServer, startPostgresServer } from '#rigs/database/postgres-server.ts'
import { openForTest } from '#rigs/database/temporary-database.ts'
import { waitingForLocks } from '#rigs/database/waiting-for-locks.ts'
import { programmableMailer } from '#rigs/mail/programmable-mailer.ts'
import { addresses } from '#rigs/server/people.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { countRows, deliveryStates } from '#rigs/server/rows.ts'
import { linkOf, type TestApp, testApp, type TestAppOptions } from '#rigs/server/test-app.ts'
import type { Config } from '../settings/config.ts'
import { newToken } from '../subscribers/subscribers.ts'
import type { Mailer } from '../transports/mailer.ts'
import { type Transaction, Unavailable } from './database.ts'
import { openDatabase } from './open-database.ts'
import { writeSetting } from './settings.ts'
import { openSharedClock } from './shared-clock.ts'

describe.skipIf(!findPostgresPrograms())('on PostgreSQL', () => {
  let postgres: PostgresServer
  beforeAll(async () => {
    postgres = (await startPostgresServer())!
  })
  afterAll(() => postgres.destroy())

  async function instances(
    count: number,
    config: Partial<Config> = {},
    isolation = 'read committed',
  ) {
    const url = `${await postgres.newDatabase()}&options=-c default_transaction_isolation=${isolation.replace(' ', '\\ ')}`
    const mailer = programmableMailer()
    // On a busy machine all that comes at once waits longer for two connections.
    const options = { databaseUrl: url, mailer, config, databaseLimits: { connectMs: 100_000 } }
    const apps = await Promise.all(Array.from({ length: count }, () => testApp(options)))
    return { apps, mailer, database: apps[0]!.database, url }
  }

  test('a transaction that PostgreSQL rolls back to end a deadlock runs again', async () => {
    const { database } = await instances(1)
    await database.transaction(async (transaction) => {
      for (const name of ['a', 'b']) await writeSetting(transaction, name, '0')
    })
    const both = Promise.withResolvers<void>()
    let begun = 0
    const change = (first: string, second: string) =>
      database.transaction(async (transaction) => {
        await bump(transaction, first)
        if ((begun += 1) === 2) both.resolve()
        await both.promise
        await bump(transaction, second)
      })
    await Promise.all([change('a', 'b'), change('b', 'a')])
    expect(await database.rows(sql`select value from settings where name in ('a', 'b')`)).toEqual([
      { value: '2' },
      { value: '2' },
    ])
    expect(begun).toBeGreaterThan(2)
  })

  test('a deadlock that comes back at each attempt is an outage, and no fault of ours', async () => {
    const { database } = await instances(1)
    const deadlock = sql`do $$ begin raise exception 'again' using errcode = '40P01'; end $$`
    const working = database.transaction((transaction) => transaction.run(deadlock))
    await expect(working).rejects.toThrow(Unavailable)
  })

  test('several instances take concurrent sign-ups of one address as one under serializable, too', async () => {
    const { apps, mailer } = await instances(3, {}, 'serializable')
    const answers = await atOnce(apps, 24, () => 'ada@example.com')
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(answers.filter(({ alreadyExists }) => alreadyExists === false)).toHaveLength(1)
    await expect.poll(() => mailer.addresses()).toEqual(['ada@example.com'])
  })

  test('several instances hold the ceiling of an inbox whose tags arrive everywhere at once', async () => {
    const { apps, database } = await instances(3, { mailsPerAddressADay: 3 })
    const answers = await atOnce(apps, 30, (index) => `ada+${index}@uni.edu`)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(await countRows(database)).toEqual({ subscribers: 3, deliveries: 3 })
  })

  test('several instances share one queue, send each mail once, and hold the ceiling of the hour together', async () => {
    const { apps, mailer, database } = await instances(3, { siteMailsPerHour: 100 })
    const sent = async () =>
      (await deliveryStates(database)).filter((state) => state === 'sent').length
    await queueMails(database, addresses(150))
    for (const app of apps) app.context.wakeDeliveries()
    await expect.poll(sent).toBe(100)
    expect(mailer.attempts).toHaveLength(100)
    for (const app of apps) app.clock.advance(61 * 60_000)
    for (const app of apps) app.context.wakeDeliveries()
    await expect.poll(sent).toBe(150)
    expect(mailer.addresses().toSorted()).toEqual(addresses(150).toSorted())
  })

  test.each([50_000, 24 * 60 * 60_000])(
    'an instance whose own clock is %i ms ahead takes over no mail that another sends',
    async (aheadMs) => {
      const url = await postgres.newDatabase()
      const mailer = programmableMailer()
      const parts = await clockAheadBy(0, url)
      const one = await testApp({ databaseUrl: url, mailer, parts, config: { mailConcurrency: 1 } })
      const ahead = await testApp({
        databaseUrl: url,
        mailer,
        parts: await clockAheadBy(aheadMs, url),
      })
      const sending = mailer.hold('slow')
      await queueMails(one.database, ['slow@example.com'], { now: parts.now() })
      one.context.wakeDeliveries()
      await expect.poll(() => mailer.addresses()).toEqual(['slow@example.com'])
      await queueMails(one.database, ['next@example.com'], { now: parts.now() })
      ahead.context.wakeDeliveries()
      await expect.poll(() => mailer.addresses()).toContain('next@example.com')
      expect(mailer.addresses()).toEqual(['slow@example.com', 'next@example.com'])
      sending({ kind: 'accepted' })
    },
  )

  /** The clock of a server whose machine's clock is wrong. */
  async function clockAheadBy(ms: number, url: string) {
    const database = await openDatabase(url)
    onTestFinished(() => database.close())
    const clock = await openSharedClock(database, () => Date.now() + ms)
    return { now: clock.now, compareClocks: clock.compare }
  }

  test('the clean-up after an erasure may take longer than any other statement', async () => {
    const { url, apps } = await instances(1)
    await queueMails(apps[0]!.database, addresses(300))
    await apps[0]!.change(sql`delete from subscribers`)
    const slowly = new URL(url)
    slowly.searchParams.set('options', '-c vacuum_cost_delay=20 -c vacuum_cost_limit=1')
    slowly.searchParams.set('statement_timeout', '500')
    const database = await openDatabase(slowly.href)
    onTestFinished(() => database.close())
    await expect(database.rows(sql`select pg_sleep(1)`)).rejects.toBeInstanceOf(Unavailable)
    expect(await database.clearDeleted()).toBe(true)
  })

  test('100 erasures at once beside 46 sign-ups get no 503', async () => {
    const { apps, database } = await instances(1, {
      mailsPerAddressADay: Infinity,
      siteMailsPerHour: 1,
    })
    const [app] = apps
    await queueMails(database, addresses(100))
    const links = await Promise.all(addresses(100).map((address) => linkOf(app!, address)))
    const erasing = links.map((url) => app!.inject({ method: 'POST', url: `${url}/erase` }))
    const signingUp = Array.from({ length: 46 }, (_, index) =>
      app!.signUp(`new-${index}@example.com`),
    )
    expect(new Set((await Promise.all(signingUp)).map(({ status }) => status))).toEqual(
      new Set([200]),
    )
    expect(new Set((await Promise.all(erasing)).map(({ statusCode }) => statusCode))).toEqual(
      new Set([200]),
    )
    expect(await countRows(database)).toMatchObject({ subscribers: 46 })
    expect(await database.row(sql`select value from settings where name = 'erased'`)).toEqual({
      value: '100',
    })
  })

  test('sign-ups, deliveries, unsubscribes and erasures of the same people at once all succeed', async () => {
    const config = { resendAfterSeconds: 0, mailsPerAddressADay: 500 }
    const { apps, database } = await instances(3, config)
    const leaving = async (index: number) => {
      const [one] = await database.rows<{ address: string }>(
        sql`select address from subscribers order by identity limit 1 offset ${index % 10}`,
      )
      const url = one && (await linkOf(apps[0]!, one.address).catch(() => undefined)) // erased meanwhile
      const action = ['erase', 'unsubscribe', 'block'][index % 3]
      return url
        ? (await apps[index % 3]!.inject({ method: 'POST', url: `${url}/${action}` })).statusCode
        : 404
    }
    const [answers, left] = await Promise.all([
      atOnce(apps, 72, (index) => addresses(12)[(index * 7) % 12]!),
      Promise.all(Array.from({ length: 30 }, (_, index) => leaving(index))),
    ])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(left.filter((status) => status !== 200 && status !== 404)).toEqual([])
  })

  test('a sign-up that waits for the erasure of its address puts it on the list again', async () => {
    const { apps, database } = await instances(1, { resendAfterSeconds: 0 })
    await queueMails(database, ['ada@example.com'], { now: 0 })
    await expect.poll(() => deliveryStates(database)).toEqual(['sent'])
    let signUp: Promise<Response> | undefined
    await database.transaction(async (transaction) => {
      await transaction.run(sql`delete from subscribers`)
      signUp = apps[0]!.signUp('ada@example.com')
      await expect.poll(() => waitingForLocks(database)).toBe(1)
    })
    expect(await (await signUp!).json()).toMatchObject({ success: true, alreadyExists: false })
  })

  describe('that is away', () => {
    async function instance(options: TestAppOptions = {}) {
      const app = await testApp({ databaseUrl: await postgres.newDatabase(), ...options })
      expect((await app.signUp('before@example.com')).status).toBe(200)
      return app
    }

    test('sign-ups get 503, pages are served, one line is logged, and it recovers without a restart', async () => {
      const app = await instance()
      await expect.poll(() => app.mailer.addresses()).toEqual(['before@example.com'])
      const link = await linkOf(app, 'before@example.com')
      await postgres.crash()
      for (let turn = 0; turn < 20; turn += 1) {
        await expectUnavailable(app, `away-${turn}@example.com`)
      }
      expect((await fetch(app.url)).status).toBe(200)
      expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
      expect((await fetch(`${app.url}/readyz`)).status).toBe(503)
      const page = await fetch(app.url + link, { headers: { accept: 'text/html' } })
      expect([page.status, page.headers.get('retry-after')]).toEqual([503, '30'])
      expect(await page.text()).toContain('<h1>failure</h1>')
      app.context.wakeDeliveries()
      await postgres.start()
      await expect.poll(async () => (await app.signUp('after@example.com')).status).toBe(200)
      await expect.poll(() => app.mailer.addresses()).toContain('after@example.com')
      expect(
        app
          .log()
          .split('\n')
          .filter((line) => line.includes('"cause"')),
      ).toHaveLength(1)
    })

    test.skipIf(process.platform !== 'linux')(
      'and does not answer: requests get 503, the server stops, and another one recovers',
      async () => {
        // Long enough for a sign-up on a busy machine.
        const limits = { connectMs: 3_000, statementMs: 4_000, lockMs: 3_000 }
        const waits = { graceMs: 500, lastWritesMs: 200 }
        const app = await instance({ databaseLimits: limits, waits })
        const other = await instance()
        const thaw = postgres.freeze()
        try {
          const paths = [`/kit/${newToken()}`, '/readyz']
          const asking = Promise.all(paths.map((path) => fetch(app.url + path)))
          await Promise.all(
            [1, 2, 3, 4, 5].map((turn) => expectUnavailable(app, `mute-${turn}@example.com`)),
          )
          expect((await asking).map(({ status }) => status)).toEqual([503, 503])
          await app.inject('/') // is counted, and cannot be written
          await app.stopServer()
        } finally {
          thaw()
        }
        await expect.poll(async () => (await other.signUp('after@example.com')).status).toBe(200)
      },
    )

    test('for longer than a lease: mail sent meanwhile is recorded, and not sent again', async () => {
      const sent: string[] = []
      const crashed = Promise.withResolvers<void>()
      const send: Mailer['send'] = async ({ to }) => {
        sent.push(to)
        if (to.startsWith('ada')) {
          await postgres.crash()
          app.clock.advance(60_000)
          crashed.resolve()
        }
        return { kind: 'accepted' }
      }
      const app = await instance({ mailer: { send, close: async () => {} } })
      await app.signUp('ada@example.com')
      await crashed.promise
      await expect.poll(() => app.log()).toContain('"cause"') // an attempt to record or to claim failed
      await postgres.start()
      await expect.poll(() => deliveryStates(app.database)).toEqual(['sent', 'sent'])
      expect((await app.signUp('last@example.com')).status).toBe(200)
      await expect.poll(() => sent.at(-1)).toBe('last@example.com')
      expect(sent.toSorted()).toEqual(['ada@example.com', 'before@example.com', 'last@example.com'])
    })

    test('is reported as such by its first use, and not as a fault of ours', async () => {
      const database = await openDatabase('postgres://nobody@localhost/none?host=/nowhere')
      onTestFinished(() => database.close())
      await expect(database.rows(sql`select 1`)).rejects.toMatchObject({
        message: expect.stringMatching(/^PostgreSQL cannot be reached: .*ENOENT/),
        code: 'DATABASE_UNAVAILABLE', // so a start prints it as one line
      })
      const real = await openForTest(await postgres.newDatabase())
      await expect(real.rows(sql`select nonsense`)).rejects.toMatchObject({ code: '42703' })
      expect(await real.rows(sql`select 1 as one`)).toEqual([{ one: 1 }])
    })

    test('is reported as such by a statement written to a connection that broke since the last one', async () => {
      const url = await postgres.newDatabase()
      const database = await openForTest(url)
      const broken = database.transaction(async (transaction) => {
        const backend = await transaction.row<{ pid: number }>(sql`select pg_backend_pid() as pid`)
        // This process stands still meanwhile, so it does not read the end of its connection before
        // it writes.
        const program = `
          import { runOnPostgres } from '#rigs/database/postgres-server.ts'
          await runOnPostgres(process.argv[1], 'select pg_terminate_backend(${backend!.pid}, 60000)')`
        const words = ['--input-type=module', '--eval', program, url]
        expect(spawnSync(process.execPath, words, { encoding: 'utf8' })).toMatchObject({
          stderr: '',
          status: 0,
        })
        await transaction.row(sql`select 1`)
      })
      await expect(broken).rejects.toBeInstanceOf(Unavailable)
    })
  })
})

function bump(transaction: Transaction, name: string): Promise<number> {
  return transaction.run(
    sql`update settings set value = cast(cast(value as bigint) + 1 as text) where name = ${name}`,
  )
}

function atOnce(apps: readonly TestApp[], count: number, email: (index: number) => string) {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const answer = await apps[index % apps.length]!.signUp(email(index))
      const { alreadyExists } = await answer.json()
      return { status: answer.status, alreadyExists }
    }),
  )
}

async function expectUnavailable(app: TestApp, email: string): Promise<void> {
  const answer = await app.signUp(email)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30'])
}
