import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresServer } from '#rigs/database/postgres-server.ts'
import { percentile } from '#rigs/load.ts'
import type { Product } from '#rigs/product.ts'
import { type Load, startLoad, stopAll, wrongAnswers } from '../rig/load.ts'
import { rowsIn, untilNothingIsOwed } from '../rig/records.ts'
import { type Form, needPostgres, onStage, seconds, type Stage } from '../rig/stage.ts'

const loadMs = { short: 1_000, long: 5_000 }
const awayMs = { short: 1_000, long: 60_000 }
const leasesEndWithinMs = 60_000
const answersWithinMs = 3_000
const mailsInFlight = 4 // MAIL_CONCURRENCY

/** Three instances on one PostgreSQL: one is killed under load, later the database crashes under it and comes back. */
export function runSeveralInstances(form: Form) {
  return onStage(async (stage) => {
    await using postgres = await needPostgres()
    const database = await postgres.newDatabase()
    const products = await Promise.all((await stage.sites(3, database)).map((site) => site.start()))
    const killed = await killUnderLoad(stage, products, database, loadMs[form])
    const left = products.slice(1)
    const loads = [...killed, ...(await crashUnderLoad(stage, left, postgres, awayMs[form]))]

    const maxDuplicates = mailsInFlight * products.length
    const acknowledged = await stopAll(loads)
    await stage.settle(left, { database, acknowledged, interrupted: () => maxDuplicates })
    const { duplicates = 0 } = stage.counts ?? {}
    const deadlocks = 'select deadlocks from pg_stat_database where datname = current_database()'
    const [row] = await rowsIn(database, deadlocks)
    stage.expect(duplicates <= maxDuplicates, `${duplicates} mails went again: more than were interrupted`)
    stage.expectNone(wrongAnswers(loads), 'answers were neither 200 nor 503')
    stage.expectNone(Number(row?.['deadlocks']), 'deadlocks')
  })
}

/** The first instance dies. */
async function killUnderLoad(
  stage: Stage,
  products: readonly Product[],
  database: string,
  underLoadMs: number,
): Promise<Load[]> {
  const loads = products.map((product) => startLoad(product.url, { connections: 8, perSecond: 150 }))
  await sleep(underLoadMs)
  const [killedAt, mails] = [performance.now(), stage.mailbox.mails.length]
  await products[0]!.kill()
  await loads[0]!.stop()
  await sleep(underLoadMs)
  await stopAll(loads)
  await untilNothingIsOwed(database, leasesEndWithinMs + 30_000)
  const recoveredMs = performance.now() - killedAt
  const isLate = recoveredMs > leasesEndWithinMs + underLoadMs
  stage.expect(!isLate, `the dead instance's mail went out after ${seconds(recoveredMs)} only`)
  stage.note(`instance killed after ${mails} mails; nothing owed ${seconds(recoveredMs)} later`)
  return loads
}

async function crashUnderLoad(
  stage: Stage,
  products: readonly Product[],
  postgres: PostgresServer,
  downMs: number,
): Promise<Load[]> {
  const load = (connections: number, perSecond: number) =>
    products.map(({ url }) => startLoad(url, { connections, perSecond }))
  const before = load(8, 100)
  await sleep(1_000)
  await postgres.crash()
  await stopAll(before)
  const during = load(4, 20)
  await sleep(downMs)
  await stopAll(during)
  await postgres.start()
  const backAt = performance.now()
  const after = load(8, 100)
  await Promise.all(after.map((one) => one.progress(1)))
  const backMs = performance.now() - backAt
  await sleep(1_000)
  await stopAll(after)

  const crossing = [...before, ...during]
  const latencies = crossing.flatMap(({ latenciesMs }) => latenciesMs)
  const [p99, slowest] = [percentile(latencies, 0.99), Math.max(...latencies)]
  const refusals = crossing.flatMap(({ refused }) => refused).length
  stage.expect(slowest <= answersWithinMs, `an answer took ${seconds(slowest)} while the database was away`)
  stage.note(
    `database away for ${seconds(downMs)}: ${refusals} answers of 503, 99 of 100 within ${p99.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms; first sign-up stored ${seconds(backMs)} after its return`,
  )
  return [...crossing, ...after]
}
