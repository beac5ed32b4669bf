import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '#rigs/load.ts'
import { type PostgresServer, startPostgresServer } from '#rigs/database/postgres-server.ts'
import type { Product } from '#rigs/product.ts'
import { faultsOf, settle } from '../rig/account.ts'
import { type Form, type Outcome, seconds } from '../rig/drill.ts'
import { eventually } from '../rig/eventually.ts'
import { type Load, startLoad } from '../rig/load.ts'
import { rowsIn, untilNothingIsOwed } from '../rig/records.ts'
import { onStage, type Stage, startInstances } from '../rig/stage.ts'

const loadMs = { short: 1_000, long: 5_000 }
const awayMs = { short: 1_000, long: 60_000 }
const leasesEndWithinMs = 60_000
const answersWithinMs = 3_000
const mailsInFlight = 4 // MAIL_CONCURRENCY
const deadlocks = 'select deadlocks from pg_stat_database where datname = current_database()'

/** Three instances on one PostgreSQL: one is killed under load, later the database crashes under it and comes back. */
export function runSeveralInstances(form: Form): Promise<Outcome | { skipped: string }> {
  return onStage(async (stage) => {
    await using postgres = await startPostgresServer({ fsync: true })
    if (!postgres) return { skipped: 'there is no PostgreSQL on this machine' }
    return await killAndCrash(stage, postgres, form)
  })
}

async function killAndCrash(stage: Stage, postgres: PostgresServer, form: Form): Promise<Outcome> {
  const url = await postgres.newDatabase()
  const products = await startInstances(stage, 3, url)
  const kill = await killUnderLoad(stage, products, loadMs[form])
  await untilNothingIsOwed(url, leasesEndWithinMs + 30_000)
  const recoveredMs = performance.now() - kill.at
  const crash = await crashUnderLoad(products.slice(1), postgres, awayMs[form])

  const { counts, broken } = await settleAll(stage, products.slice(1), url, [...kill.loads, ...crash.loads])
  if (recoveredMs > leasesEndWithinMs + loadMs[form])
    broken.push(`the dead instance's mail went out after ${seconds(recoveredMs)} only`)
  if (crash.slowestMs > answersWithinMs)
    broken.push(`an answer took ${seconds(crash.slowestMs)} while the database was away`)
  const notes = [
    `instance killed after ${kill.mails} mails; nothing owed ${seconds(recoveredMs)} later`,
    `database away for ${seconds(awayMs[form])}: ${crash.unavailable} answers of 503, 99 of 100 within ${crash.p99Ms.toFixed(0)} ms, slowest ${crash.slowestMs.toFixed(0)} ms; first sign-up stored ${seconds(crash.backMs)} after its return`,
  ]
  return { counts, broken, notes }
}

/** The first of them dies. */
async function killUnderLoad({ mailbox }: Stage, products: readonly Product[], underLoadMs: number) {
  const loads = products.map((product) => startLoad(product.url, { connections: 8, perSecond: 150 }))
  await sleep(underLoadMs)
  const [at, mails] = [performance.now(), mailbox.mails.length]
  await products[0]!.kill()
  await loads[0]!.stop()
  await sleep(underLoadMs)
  await Promise.all(loads.map((load) => load.stop()))
  return { at, mails, loads }
}

async function settleAll(stage: Stage, products: readonly Product[], database: string, loads: Load[]) {
  const maxDuplicates = mailsInFlight * (1 + products.length)
  const outcome = await settle(stage, products, {
    database,
    acknowledged: new Set(loads.flatMap(({ acknowledged }) => [...acknowledged])),
    interrupted: () => maxDuplicates,
    deliveredWithinMs: leasesEndWithinMs + 30_000,
  })
  const { duplicates } = outcome.counts
  const wrongAnswers = loads.flatMap(({ refused }) => refused).filter(({ status }) => status !== 503)
  const [row] = await rowsIn(database, deadlocks)
  outcome.broken.push(
    ...faultsOf(duplicates > maxDuplicates ? duplicates : 0, 'mails went again: more than were interrupted'),
    ...faultsOf(wrongAnswers.length, 'answers were neither 200 nor 503'),
    ...faultsOf(Number(row?.['deadlocks']), 'deadlocks'),
  )
  return outcome
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
  const areBack = () => after.every(({ acknowledged }) => acknowledged.size > 0)
  await eventually('every instance stores sign-ups again', areBack, 30_000)
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
