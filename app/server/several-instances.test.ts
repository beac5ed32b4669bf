import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { findPostgresPrograms } from '#rigs/database/postgres-programs.ts'
import { type PostgresServer, startPostgresServer } from '#rigs/database/postgres-server.ts'
import { programmableMailer } from '#rigs/mail/programmable-mailer.ts'
import { newcomer, queueMails, shortTemplate } from '#rigs/server/queue-mails.ts'
import { type TestApp, testApp } from '#rigs/server/test-app.ts'
import type { Config } from './configuration/config.ts'
import { type Connection, type Database, inTransaction } from './database/database.ts'
import { isMigrated, migrate, openDatabase } from './database/open-database.ts'
import { keepTemplate } from './deliveries/mail-templates.ts'
import { claimDue } from './deliveries/deliveries.ts'
import { type SignUpOutcome, registerSignUps } from './sign-up/register-sign-ups.ts'
import { eraseSubscribers } from './subscribers/erase-subscribers.ts'
import { leaveTheList } from './subscribers/leave-the-list.ts'
import { enrol, findRecipients } from './subscribers/subscribers.ts'
import { keepWordings } from './subscribers/wordings.ts'

/** PostgreSQL's default, and that of several of its relatives. */
const isolations = ['read committed', 'serializable']
const soon = { timeout: 30_000, interval: 20 }

describe.skipIf(!findPostgresPrograms())('several instances on one PostgreSQL', () => {
  let postgres: PostgresServer
  beforeAll(async () => {
    postgres = (await startPostgresServer())!
  })
  afterAll(() => postgres.destroy())

  async function three(config: Partial<Config> = {}, isolation = 'read committed') {
    const url = `${await postgres.newDatabase()}&options=-c default_transaction_isolation=${isolation.replace(' ', '\\ ')}`
    const mailer = programmableMailer()
    const instances = await Promise.all([1, 2, 3].map(() => testApp({ databaseUrl: url, mailer, config })))
    return { url, mailer, instances, database: await open(url) }
  }

  async function open(url: string): Promise<Database> {
    const database = await openDatabase(url)
    onTestFinished(() => database.close())
    return database
  }

  test('several instances can migrate an empty database at the same moment', async () => {
    const url = await postgres.newDatabase()
    const databases = await Promise.all(Array.from({ length: 6 }, () => open(url)))
    await Promise.all(databases.map((one) => migrate(one)))
    expect(await isMigrated(databases[0]!)).toBe(true)
  })

  test.each(isolations)(
    'an instance starts while another stores what all of them share (%s)',
    async (isolation) => {
      const { url, database } = await three({}, isolation)
      await database.query.deleteFrom('wordings').execute()
      let fourth: Promise<TestApp> | undefined
      await database.query.transaction().execute(async (transaction) => {
        await keepWordings(transaction)
        fourth = testApp({ databaseUrl: url })
        await vi.waitFor(async () => expect(await countWaiting(database)).toBe(1), soon)
      })
      expect((await (await fourth!).signUp('ada@example.com')).status).toBe(200)
    },
  )

  test.each(isolations)(
    'of many concurrent sign-ups of one address exactly one is new, and one mail goes out (%s)',
    async (isolation) => {
      const { instances, mailer } = await three({}, isolation)
      const answers = await atOnce(instances, 60, () => 'ada@example.com')
      expect(answers.every(({ status }) => status === 200)).toBe(true)
      expect(answers.filter(({ alreadyExists }) => alreadyExists === false)).toHaveLength(1)
      await vi.waitFor(() => expect(mailer.addresses()).toEqual(['ada@example.com']), soon)
    },
  )

  test.each(isolations)('instances share one queue and send each delivery once (%s)', async (isolation) => {
    const { instances, mailer, database } = await three({ siteMailsPerHour: Infinity }, isolation)
    await queueMails(database.query, addresses(150))
    database.announceDeliveries()
    await vi.waitFor(() => expect(mailer.addresses().length).toBeGreaterThanOrEqual(150), soon)
    await Promise.all(instances.map((one) => one.signUp('last@example.com')))
    await vi.waitFor(() => expect(mailer.addresses()).toContain('last@example.com'), soon)
    expect(mailer.addresses().toSorted()).toEqual([...addresses(150), 'last@example.com'].toSorted())
  })

  test.each(isolations)(
    'the daily ceiling of one inbox holds when its tags arrive at several instances at once (%s)',
    async (isolation) => {
      const { url, database } = await three({}, isolation)
      const elsewhere = await open(url)
      const context = {
        now: Date.now(),
        resendAfterMs: 0,
        senderDomain: 'b.co',
        mailsPerAddressADay: 3,
        signUpsPerNetworkADay: Infinity,
        isStorm: false,
        hasBlocks: false,
        signUpsPerNetworkIn10Minutes: Infinity,
        template: await keepTemplate(database.query, shortTemplate),
        hideAlreadyExists: false,
        secret: 'a key',
      }
      const signUp = (connection: Connection, ...tags: number[]) =>
        registerSignUps(
          connection,
          tags
            .map((tag) => `ada+${tag}@example.com`)
            .map((email) => ({
              address: email,
              identity: email,
              networks: { network: 'n', widerNetwork: undefined },
            })),
          context,
        )
      let fourth: Promise<SignUpOutcome[]> | undefined
      await database.query.transaction().execute(async (transaction) => {
        const first = await signUp(transaction, 1, 2, 3)
        expect(first.map(({ kind }) => kind)).toEqual(['registered', 'registered', 'registered'])
        fourth = inTransaction(elsewhere.query, (other) => signUp(other, 4))
        await sleep(100) // enough for it to count, if it did not wait
      })
      expect(await fourth).toMatchObject([{ kind: 'refused', by: 'address' }])
    },
  )

  test.each(isolations)('the ceiling of one network holds over all instances (%s)', async (isolation) => {
    const { instances } = await three({ signUpsPerNetworkIn10Minutes: 20 }, isolation)
    const answers = await atOnce(instances, 60, (index) => `visitor-${index}@example.com`)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
  })

  test.each(isolations)(
    "the site's ceiling holds when all instances claim at once (%s)",
    async (isolation) => {
      const { mailer, database } = await three({ siteMailsPerHour: 25 }, isolation)
      await queueMails(database.query, addresses(200))
      await vi.waitFor(() => expect(mailer.addresses().length).toBeGreaterThanOrEqual(25), soon)
      const left = await database.query
        .selectFrom('deliveries')
        .select('id')
        .where('state', '=', 'queued')
        .execute()
      expect({ sent: mailer.addresses().length, left: left.length }).toEqual({ sent: 25, left: 175 })
    },
  )

  test.each(isolations)(
    'a personal page is changed while another instance changes its subscriber (%s)',
    async (isolation) => {
      const { instances, database } = await three({}, isolation)
      await queueMails(database.query, ['ada@example.com'])
      await database.query
        .updateTable('subscribers')
        .set({ token: 'a'.repeat(22) })
        .execute()
      let switched: Promise<Response> | undefined
      await database.query.transaction().execute(async (transaction) => {
        await transaction.updateTable('subscribers').set({ opened_at: 1 }).execute()
        const body = new URLSearchParams({ announcements: 'on' })
        switched = fetch(`${instances[0]!.url}/kit/${'a'.repeat(22)}/announcements`, { method: 'POST', body })
        await vi.waitFor(async () => expect(await countWaiting(database)).toBe(1), soon)
      })
      expect((await switched!).status).toBe(200)
    },
  )

  test.each(isolations)(
    'a sign-up that waits for the erasure of its address puts it on the list again (%s)',
    async (isolation) => {
      const { instances, database } = await three({ resendAfterSeconds: 0 }, isolation)
      await enrol(database.query, [newcomer('ada@example.com')], 1)
      let signUp: Promise<Response> | undefined
      await database.query.transaction().execute(async (transaction) => {
        await transaction.selectFrom('subscribers').select('id').forUpdate().execute()
        signUp = instances[0]!.signUp('ada@example.com')
        await vi.waitFor(async () => expect(await countWaiting(database)).toBe(1), soon)
        await transaction.deleteFrom('subscribers').execute()
      })
      expect(await (await signUp!).json()).toMatchObject({ success: true, alreadyExists: false })
      expect(await database.query.selectFrom('deliveries').select('id').execute()).toHaveLength(1)
    },
  )

  test('a delivery queued by one instance wakes the others', async () => {
    const { mailer, database } = await three()
    const [instantly, byPolling] = [3_000, 5_000]
    await sleep(300) // all have looked, and sleep
    const queuedAt = Date.now()
    await queueMails(database.query, ['ada@example.com'])
    database.announceDeliveries()
    await vi.waitFor(() => expect(mailer.addresses()).toHaveLength(1), { ...soon, timeout: byPolling })
    expect(Date.now() - queuedAt).toBeLessThan(instantly)
  })

  test('a burst of sign-ups is announced to the others after the commits, at most once per 50 ms', async () => {
    const { instances, database } = await three()
    let announced = 0
    await database.onDeliveryQueuedElsewhere(() => void (announced += 1))
    announced = 0 // one came with the listening
    const startedAt = performance.now()
    for (let index = 0; index < 60; index += 1) await instances[0]!.signUp(`visitor-${index}@example.com`)
    await vi.waitFor(() => expect(announced).toBeGreaterThan(0), soon)
    await sleep(100) // for a last one
    expect(announced).toBeLessThanOrEqual((performance.now() - startedAt) / 50)
  })

  test('what a dead worker claimed is due again when its lease ends', async () => {
    const database = await open(await postgres.newDatabase())
    await migrate(database)
    await queueMails(database.query, ['ada@example.com'])
    const now = Date.now()
    const claim = (worker: string, at: number) => claimDue(database.query, () => 10, { worker, now: at })
    expect(await claim('dead', now)).toHaveLength(1)
    expect(await claim('alive', now + 44_000)).toHaveLength(0)
    expect(await claim('alive', now + 45_000)).toHaveLength(1)
  })

  test('an erasure waits for the transaction that claimed its mail, without a deadlock', async () => {
    const { url, database } = await three({ mailConcurrency: 1 })
    const elsewhere = await open(url)
    const [id] = await queueMails(database.query, ['ada@example.com'], { dueInMs: 60_000 })
    let erasure: Promise<boolean> | undefined
    await database.query.transaction().execute(async (pass) => {
      const now = Date.now() + 60_000
      expect(await claimDue(pass, () => 1, { worker: 'w', now })).toHaveLength(1)
      erasure = eraseSubscribers(elsewhere, [id!], now)
      await sleep(100) // enough for it to lock what it can
      expect(await findRecipients(pass, [id!])).toHaveLength(1)
    })
    await erasure
    expect(await countDeadlocks(database)).toBe(0)
  })

  test('concurrent sign-ups, deliveries, unsubscribes and erasures cause no deadlock', async () => {
    const { instances, database } = await three({ resendAfterSeconds: 0, mailsPerAddressADay: 500 })
    const same = addresses(12)
    const leaving = Array.from({ length: 60 }, async (_, turn) => {
      const rows = await database.query.selectFrom('subscribers').select('id').execute()
      const ids = rows.map(({ id }) => id)
      if (turn % 2) await eraseSubscribers(database, turn % 4 === 1 ? ids : ids.toReversed(), Date.now())
      else for (const id of ids) await leaveTheList(database, id, 'unsubscribed', Date.now())
    })
    const signingUp = atOnce(instances, 600, (index) => same[(index * 7) % same.length]!)
    const answers = await signingUp
    await Promise.all(leaving)
    // On a busy machine an instance may wait longer than its patience for the locks of the others, and says so.
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    expect(answers.filter(({ status }) => status === 200)).not.toEqual([])
    expect(await countDeadlocks(database)).toBe(0)
  })
})

function addresses(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `visitor-${index}@example.com`)
}

function atOnce(instances: readonly TestApp[], count: number, email: (index: number) => string) {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const answer = await instances[index % instances.length]!.signUp(email(index))
      const { alreadyExists } = await answer.json()
      return { status: answer.status, alreadyExists }
    }),
  )
}

/** Statements that wait for a lock of another transaction. */
async function countWaiting(database: Database): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(database.query)
  return rows[0]!.waiting
}

async function countDeadlocks(database: Database): Promise<number> {
  await sql`select pg_sleep(1.1), pg_stat_clear_snapshot()`.execute(database.query) // it counts once a second
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(database.query)
  return rows[0]!.deadlocks
}
