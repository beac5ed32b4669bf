import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { findPostgresPrograms } from '#rigs/database/postgres-programs.ts'
import { type PostgresServer, startPostgresServer } from '#rigs/database/postgres-server.ts'
import { type TestApp, testApp } from '#rigs/server/test-app.ts'
import type { Database } from './database/database.ts'
import { openDatabase } from './database/open-database.ts'
import type { Mailer } from './transports/mailer.ts'
import { newToken } from './subscribers/subscribers.ts'

const answerWithinMs = 2_900
const recoverWithin = { timeout: 30_000, interval: 50 }

describe.skipIf(!findPostgresPrograms())('the database is away', () => {
  let postgres: PostgresServer
  beforeAll(async () => {
    postgres = (await startPostgresServer())!
  })
  afterAll(() => postgres.destroy())

  async function instance() {
    const started = await testApp({ databaseUrl: await postgres.newDatabase() })
    await expectStored(started, 'before@example.com')
    return started
  }

  test('crashed: sign-ups get 503 at once, the page is served, and the server recovers without a restart', async () => {
    const started = await instance()
    await postgres.crash()
    for (const turn of [1, 2, 3]) await expectUnavailable(started, `away-${turn}@example.com`)
    expect((await fetch(started.url)).status).toBe(200)
    expect((await fetch(`${started.url}/readyz`)).status).toBe(503)
    await postgres.start()
    await vi.waitFor(() => expectStored(started, 'after@example.com'), recoverWithin)
    await vi.waitFor(() => expect(started.mailer.addresses()).toContain('after@example.com'), recoverWithin)
  })

  test('unresponsive: sign-ups get 503 in under three seconds, even many at once, and the server recovers without a restart', async () => {
    const started = await instance()
    postgres.freeze()
    try {
      await Promise.all([1, 2, 3, 4, 5].map((turn) => expectUnavailable(started, `mute-${turn}@example.com`)))
      await expectUnavailable(started, 'later@example.com')
    } finally {
      postgres.thaw()
    }
    await vi.waitFor(() => expectStored(started, 'after@example.com'), recoverWithin)
  })

  test.each([
    ['a personal page', `/kit/${newToken()}`],
    ['/readyz', '/readyz'],
  ])('unresponsive: %s is answered with 503 long before the driver times out', async (_what, path) => {
    const url = await postgres.newDatabase()
    const started = await testApp({ databaseUrl: url })
    const database = await openDatabase(url)
    onTestFinished(() => database.close())
    const ask = () => sql`select 1`.execute(database.query)
    await Promise.all([ask(), statusOf(started, path)]) // so that both have a connection
    postgres.freeze()
    const driver = ask().catch(() => 'the driver gave up')
    try {
      expect(await Promise.race([statusOf(started, path), driver])).toBe(503)
    } finally {
      postgres.thaw()
    }
    await vi.waitFor(async () => expect(await statusOf(started, '/readyz')).toBe(200), recoverWithin)
  })

  test('unresponsive: the server still stops in time', async () => {
    const started = await testApp({ databaseUrl: await postgres.newDatabase() })
    postgres.freeze()
    await expectUnavailable(started, 'mute@example.com')
    const askedAt = performance.now()
    try {
      await started.stopServer()
    } finally {
      postgres.thaw()
    }
    expect(performance.now() - askedAt).toBeLessThan(10_000)
  })

  test('away for longer than a lease: mail sent meanwhile is recorded, and not sent again', async () => {
    let sent = 0
    const send: Mailer['send'] = async () => {
      sent += 1
      await postgres.crash()
      app.clock.advance(60_000)
      return { kind: 'accepted' }
    }
    const mailer = { send, close: async () => {} }
    const app = await testApp({ databaseUrl: await postgres.newDatabase(), mailer })
    await app.signUp('ada@example.com')
    await vi.waitFor(() => expect(sent).toBe(1), recoverWithin)
    await sleep(2_500) // its attempts to claim and to record fail
    await postgres.start()
    const states = () => app.database.query.selectFrom('deliveries').select('state').execute()
    await vi.waitFor(async () => expect(await states()).toEqual([{ state: 'sent' }]), recoverWithin)
    await sleep(1_500) // and to claim again
    expect(sent).toBe(1)
  })

  test('after many failed reconnects there is still only one listener', async () => {
    const url = await postgres.newDatabase()
    const database = await openDatabase(url)
    onTestFinished(() => database.close())
    let rung = 0
    await database.onDeliveryQueuedElsewhere(() => void (rung += 1))
    await postgres.crash()
    await sleep(2_500)
    await postgres.start()
    await vi.waitFor(async () => expect(await countListeners(database)).toBe(1), recoverWithin)
    rung = 0
    await sql`notify delivery_queued`.execute(database.query)
    await sleep(1_500) // time for a second one to come
    expect({ rung, listeners: await countListeners(database) }).toEqual({ rung: 1, listeners: 1 })
  })
})

async function countListeners(database: Database): Promise<number> {
  const { rows } = await sql<{ listeners: number }>`
    select count(*) as listeners from pg_stat_activity
    where datname = current_database() and query = 'listen delivery_queued'`.execute(database.query)
  return rows[0]!.listeners
}

async function statusOf({ url }: TestApp, path: string): Promise<number> {
  return (await fetch(url + path)).status
}

async function expectStored(instance: TestApp, email: string): Promise<void> {
  expect((await instance.signUp(email)).status).toBe(200)
}

async function expectUnavailable(instance: TestApp, email: string): Promise<void> {
  const askedAt = performance.now()
  expect((await instance.signUp(email)).status).toBe(503)
  expect(performance.now() - askedAt).toBeLessThan(answerWithinMs)
}
