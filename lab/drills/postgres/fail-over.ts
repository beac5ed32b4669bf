import { setTimeout as sleep } from 'node:timers/promises'
import { type PostgresServer, runOnPostgres, startPostgresServer } from '#rigs/database/postgres-server.ts'
import type { Product } from '#rigs/product.ts'
import { faultsOf, settle } from '../rig/account.ts'
import { addOutcomes, type Form, type Outcome, seconds } from '../rig/drill.ts'
import { eventually } from '../rig/eventually.ts'
import { type Load, startLoad } from '../rig/load.ts'
import { onStage, type Stage, startInstances } from '../rig/stage.ts'

const loadMs = { short: 3_000, long: 20_000 }
/** Somebody, or a program, has to notice and to decide. */
const promotedAfterMs = { short: 2_000, long: 10_000 }
const backWithinMs = 10_000
const leasesEndWithinMs = 60_000
const mailsInFlight = 4 // MAIL_CONCURRENCY

/**
 * Two instances on a PostgreSQL with a standby. The primary is killed under load, the standby promoted, and the instances
 * follow. A synchronous standby loses nothing; what an asynchronous one loses is counted.
 */
export async function failOver(form: Form): Promise<Outcome | { skipped: string }> {
  const synchronous = await withStandby(form, true)
  if ('skipped' in synchronous) return synchronous
  const asynchronous = await withStandby(form, false)
  return 'skipped' in asynchronous ? asynchronous : addOutcomes([synchronous, asynchronous])
}

function withStandby(form: Form, synchronous: boolean): Promise<Outcome | { skipped: string }> {
  return onStage(async (stage) => {
    await using postgres = await startPostgresServer({ fsync: true })
    if (!postgres) return { skipped: 'there is no PostgreSQL on this machine' }
    return await killPrimary(stage, postgres, { form, synchronous })
  })
}

async function killPrimary(
  stage: Stage,
  postgres: PostgresServer,
  { form, synchronous }: { form: Form; synchronous: boolean },
): Promise<Outcome> {
  await runOnPostgres(postgres.url, 'create database site')
  const standby = await postgres.addStandby({ synchronous })
  const database = standby.urlOf('site')
  const products = await startInstances(stage, 2, database)
  try {
    const before = products.map(({ url }) => startLoad(url, { connections: 8, perSecond: 200 }))
    await sleep(loadMs[form])
    await postgres.crash()
    await sleep(promotedAfterMs[form])
    await standby.promote()
    const promotedAt = performance.now()
    await Promise.all(before.map((load) => load.stop()))
    const after = products.map(({ url }) => startLoad(url, { connections: 8, perSecond: 200 }))
    const areBack = () => after.every(({ acknowledged }) => acknowledged.size > 0)
    await eventually('every instance stores sign-ups again', areBack, 30_000)
    const backMs = performance.now() - promotedAt
    await sleep(1_000)
    await Promise.all(after.map((load) => load.stop()))
    return await settleAll(stage, products, { database, synchronous, backMs, loads: [...before, ...after] })
  } finally {
    await standby.stop()
  }
}

interface FailOver {
  database: string
  synchronous: boolean
  backMs: number
  loads: readonly Load[]
}

async function settleAll(
  stage: Stage,
  products: readonly Product[],
  { database, synchronous, backMs, loads }: FailOver,
): Promise<Outcome> {
  const maxDuplicates = mailsInFlight * products.length
  const outcome = await settle(stage, products, {
    database: database.replace(/host=[^,]*,/, 'host='),
    acknowledged: new Set(loads.flatMap(({ acknowledged }) => [...acknowledged])),
    interrupted: () => maxDuplicates,
    deliveredWithinMs: leasesEndWithinMs + 30_000,
    mayLoseRows: !synchronous,
  })
  const wrong = loads.flatMap(({ refused }) => refused).filter(({ status }) => status !== 503)
  outcome.broken.push(
    ...faultsOf(wrong.length, 'answers were neither 200 nor 503'),
    ...(backMs > backWithinMs
      ? [`sign-ups were stored again only ${seconds(backMs)} after the promotion`]
      : []),
  )
  const kind = synchronous ? 'synchronous standby' : 'asynchronous standby'
  const { acknowledged, lost, duplicates } = outcome.counts
  outcome.notes.push(
    `${kind}: ${acknowledged} acknowledged, ${lost} lost, ${duplicates} duplicates; back ${seconds(backMs)} after the promotion`,
  )
  return outcome
}
