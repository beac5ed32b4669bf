import { setTimeout as sleep } from 'node:timers/promises'
import { runOnPostgres } from '#rigs/database/postgres-server.ts'
import { percentile } from '#rigs/load.ts'
import type { Product } from '#rigs/product.ts'
import { rowsIn, untilNothingIsPending } from '../rig/records.ts'
import { type Form, needPostgres, onStage, type Outcome, seconds, type Stage } from '../rig/stage.ts'

const loadMs = { short: 1_000, long: 10_000 }
/** How long the database is away. In fail-over this includes the time to notice and to decide. */
const awayMs = { several: { short: 1_000, long: 60_000 }, failOver: { short: 2_000, long: 10_000 } }
const leasesEndWithinMs = 60_000
const answersWithinMs = 3_000
const backWithinMs = 10_000
const mailsInFlight = 4 // MAIL_CONCURRENCY

/** Three instances on one PostgreSQL: one is killed under load, later the database crashes under it and comes back. */
export function runSeveralInstances(form: Form) {
  return onStage(async (stage) => {
    await using postgres = await needPostgres()
    const database = await postgres.newDatabase()
    const products = await startInstances(stage, 3, database)
    await killOne(stage, products, database, loadMs[form])
    const left = products.slice(1)
    const downMs = awayMs.several[form]
    const crossing = await breakDatabase(stage, left, loadMs[form], async () => {
      await postgres.crash()
      await sleep(downMs)
      await postgres.start()
    })

    const maxDuplicates = mailsInFlight * products.length
    await stage.settle(left, { database, interrupted: () => maxDuplicates })
    const { duplicates = 0 } = stage.counts ?? {}
    stage.expect(duplicates <= maxDuplicates, `${duplicates} mails went again: more than were interrupted`)
    const deadlocks = 'select deadlocks from pg_stat_database where datname = current_database()'
    const [row] = await rowsIn(database, deadlocks)
    stage.expectNone(Number(row?.['deadlocks']), 'deadlocks')
    const latencies = crossing.crowds.flatMap(({ latenciesMs }) => latenciesMs)
    const slowest = Math.max(...latencies)
    stage.expect(slowest <= answersWithinMs, `an answer took ${seconds(slowest)} while the database was away`)
    stage.note(
      `database away for ${seconds(downMs)}: ${crossing.crowds.flatMap(({ refused }) => refused).length} answers of 503, 99 of 100 within ${percentile(latencies, 0.99).toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms; first sign-up stored ${seconds(crossing.backMs)} after its return`,
    )
  })
}

/**
 * Two instances on a PostgreSQL with a standby. The primary is killed under load, the standby promoted, and the instances
 * follow. A synchronous standby loses nothing; what an asynchronous one loses is counted.
 */
export async function failOver(form: Form): Promise<Outcome[]> {
  const synchronous = await onStage((stage) => killPrimary(stage, form, true), 'synchronous: ')
  return [synchronous, await onStage((stage) => killPrimary(stage, form, false), 'asynchronous: ')]
}

async function killPrimary(stage: Stage, form: Form, synchronous: boolean): Promise<void> {
  await using postgres = await needPostgres()
  await runOnPostgres(postgres.url, 'create database site')
  await using standby = await postgres.addStandby({ synchronous })
  const url = standby.urlOf('site')
  const products = await startInstances(stage, 2, url)
  const { backMs } = await breakDatabase(stage, products, loadMs[form], async () => {
    await postgres.crash()
    await sleep(awayMs.failOver[form])
    await standby.promote()
  })
  await stage.settle(products, {
    database: url.replace(/host=[^,]*,/, 'host='),
    interrupted: () => mailsInFlight * products.length,
    mayLoseRows: !synchronous,
  })
  const back = `${seconds(backMs)} after the promotion`
  stage.expect(backMs <= backWithinMs, `sign-ups were stored again only ${back}`)
  const { acknowledged, lost, duplicates } = stage.counts ?? {}
  stage.note(
    `${synchronous ? 'synchronous' : 'asynchronous'} standby: ${acknowledged} acknowledged, ${lost} lost, ${duplicates} duplicates; back ${back}`,
  )
}

async function startInstances(stage: Stage, count: number, database: string): Promise<Product[]> {
  return Promise.all((await stage.sites(count, database)).map((site) => site.start()))
}

function crowdsAt(stage: Stage, products: readonly Product[]) {
  return products.map(({ url }) => stage.crowd({ connections: 8, perSecond: 150 }, url))
}

/** The first instance dies. */
async function killOne(stage: Stage, products: readonly Product[], database: string, underLoadMs: number) {
  const crowds = crowdsAt(stage, products)
  await sleep(underLoadMs)
  const [killedAt, mails] = [performance.now(), stage.mailbox.mails.length]
  await products[0]!.kill()
  await crowds[0]!.stop()
  await sleep(underLoadMs)
  await Promise.all(crowds.map((crowd) => crowd.stop()))
  await untilNothingIsPending(database, leasesEndWithinMs + 30_000)
  const recoveredMs = performance.now() - killedAt
  const isLate = recoveredMs > leasesEndWithinMs + underLoadMs
  stage.expect(!isLate, `the dead instance's mail went out after ${seconds(recoveredMs)} only`)
  stage.note(`instance killed after ${mails} mails; nothing pending ${seconds(recoveredMs)} later`)
}

/** `outage` takes the database away under load and brings it back. `backMs`: until every instance stores a sign-up again. */
async function breakDatabase(
  stage: Stage,
  products: readonly Product[],
  underLoadMs: number,
  outage: () => Promise<void>,
) {
  const crowds = crowdsAt(stage, products)
  await sleep(underLoadMs)
  await outage()
  const backAt = performance.now()
  await Promise.all(crowds.map((crowd) => crowd.stop()))
  await Promise.all(crowdsAt(stage, products).map((crowd) => crowd.progress(1)))
  const backMs = performance.now() - backAt
  await sleep(1_000)
  return { crowds, backMs }
}
