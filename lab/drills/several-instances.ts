import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '#rigs/load.ts'
import { type PostgresServer, startPostgresServer } from '#rigs/database/postgres-server.ts'
import type { Product } from '#rigs/product.ts'
import type { SmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { said } from './rig/account.ts'
import type { Form, Outcome } from './rig/drill.ts'
import { type Load, startLoad } from './rig/load.ts'
import { readPostgres, untilPostgresOwesNothing } from './rig/postgres-records.ts'
import { makeStage, onStage, type Stage } from './rig/stage.ts'

const loadMs = { short: 1_000, long: 5_000 }
const awayMs = { short: 1_000, long: 60_000 }
const leasesEndWithinMs = 60_000
const answersWithinMs = 3_000
const mailsInFlight = 4 // MAIL_CONCURRENCY

/** Three instances on one PostgreSQL: one is killed under load, later the database crashes under it and comes back. */
export function runSeveralInstances(form: Form): Promise<Outcome | { skipped: string }> {
  return onStage(async (stage) => {
    const postgres = await startPostgresServer({ fsync: true })
    if (!postgres) return { skipped: 'there is no PostgreSQL on this machine' }
    try {
      return await killAndCrash(stage, postgres, form)
    } finally {
      await postgres.destroy()
    }
  })
}

async function killAndCrash(stage: Stage, postgres: PostgresServer, form: Form): Promise<Outcome> {
  const { mailbox } = stage
  const url = await postgres.newDatabase()
  const products = await Promise.all([1, 2, 3].map((number) => startInstance(stage, number, url)))
  const [victim, ...others] = products as [Product, ...Product[]]
  const loads = products.map((product) => startLoad(product.url, { connections: 8, perSecond: 150 }))

  await sleep(loadMs[form])
  const mailsAtKill = mailbox.mails.length
  const killedAt = performance.now()
  await victim.kill()
  await loads[0]!.stop()
  await sleep(loadMs[form])
  await Promise.all(loads.map((load) => load.stop()))
  await untilPostgresOwesNothing(url, leasesEndWithinMs + 30_000)
  const recoveredMs = performance.now() - killedAt

  const crash = await crashUnderLoad(others, postgres, awayMs[form])
  await untilPostgresOwesNothing(url, leasesEndWithinMs + 30_000)
  await Promise.all(others.map((product) => product.terminate()))
  await mailbox.idle()

  const all = [...loads, ...crash.loads]
  const outcome = await settle(url, all, mailbox, mailsInFlight * (1 + others.length))
  if (recoveredMs > leasesEndWithinMs + loadMs[form])
    outcome.broken.push(`the dead instance's mail went out after ${seconds(recoveredMs)} only`)
  if (crash.slowestMs > answersWithinMs)
    outcome.broken.push(`an answer took ${seconds(crash.slowestMs)} while the database was away`)
  outcome.notes.push(
    `instance killed after ${mailsAtKill} mails; nothing owed ${seconds(recoveredMs)} later`,
    `database away for ${seconds(awayMs[form])}: ${crash.unavailable} answers of 503, 99 of 100 within ${crash.p99Ms.toFixed(0)} ms, slowest ${crash.slowestMs.toFixed(0)} ms; first sign-up stored ${seconds(crash.backMs)} after its return`,
  )
  return outcome
}

async function startInstance(
  { place, mailbox }: Stage,
  number: number,
  databaseUrl: string,
): Promise<Product> {
  const own = join(place.folder, String(number))
  mkdirSync(own)
  const { start } = await makeStage(own, mailbox)
  return start({ environment: { DATABASE_URL: databaseUrl } })
}

async function crashUnderLoad(products: Product[], postgres: PostgresServer, downMs: number) {
  const before = products.map(({ url }) => startLoad(url, { connections: 8, perSecond: 100 }))
  await sleep(1_000)
  await postgres.crash()
  await Promise.all(before.map((load) => load.stop()))
  const during = products.map(({ url }) => startLoad(url, { connections: 4, perSecond: 20 }))
  await sleep(downMs)
  await Promise.all(during.map((load) => load.stop()))
  await postgres.start()
  const backAt = performance.now()
  const after = products.map(({ url }) => startLoad(url, { connections: 8, perSecond: 100 }))
  while (after.some(({ acknowledged }) => acknowledged.size === 0) && performance.now() - backAt < 30_000)
    await sleep(10)
  const backMs = performance.now() - backAt
  await sleep(1_000)
  await Promise.all(after.map((load) => load.stop()))
  const latencies = [...before, ...during].flatMap((load) => load.latenciesMs)
  return {
    loads: [...before, ...during, ...after],
    unavailable: [...before, ...during].flatMap(({ refused }) => refused).length,
    p99Ms: percentile(latencies, 0.99),
    slowestMs: Math.max(...latencies),
    backMs,
  }
}

async function settle(
  url: string,
  loads: Load[],
  { mails }: SmtpInbox,
  mostDuplicates: number,
): Promise<Outcome> {
  const { addresses, messageIds, notSent, deadlocks } = await readPostgres(url)
  const acknowledged = loads.flatMap((load) => [...load.acknowledged])
  const withoutRow = acknowledged.filter((address) => !addresses.has(address))
  const mailed = new Set(mails.flatMap(({ to }) => to))
  const withoutMail = [...addresses].filter((address) => !mailed.has(address))
  const copies = Map.groupBy(mails, ({ messageId }) => messageId)
  const duplicates = mails.length - copies.size
  const others = loads.flatMap(({ refused }) => refused).filter(({ status }) => status !== 503)
  const broken = [
    ...said(withoutRow.length, 'acknowledged without a row'),
    ...said(withoutMail.length, 'on the list, and no mail came'),
    ...said(
      [...copies.keys()].filter((id) => !messageIds.has(id)).length,
      'Message-IDs that no delivery has',
    ),
    ...said(notSent, 'deliveries are not recorded as sent'),
    ...said(Math.max(0, duplicates - mostDuplicates), 'mails went again though no attempt was interrupted'),
    ...said(others.length, 'answers were neither 200 nor 503'),
    ...said(deadlocks, 'deadlocks'),
  ]
  const lost = withoutRow.length + withoutMail.length
  const counts = {
    acknowledged: acknowledged.length,
    rows: addresses.size,
    mails: mails.length,
    duplicates,
    lost,
  }
  return { counts, broken, notes: [] }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
