import { setTimeout as sleep } from 'node:timers/promises'
import { runOnPostgres } from '#rigs/database/postgres-server.ts'
import { startLoad, stopAll, wrongAnswers } from '../rig/load.ts'
import { type Form, needPostgres, onStage, type Outcome, seconds, type Stage } from '../rig/stage.ts'

const loadMs = { short: 3_000, long: 20_000 }
/** Somebody, or a program, has to notice and to decide. */
const promotedAfterMs = { short: 2_000, long: 10_000 }
const backWithinMs = 10_000
const instances = 2
const mailsInFlight = 4 // MAIL_CONCURRENCY

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
  const products = await Promise.all((await stage.sites(instances, url)).map((site) => site.start()))
  const load = () => products.map((product) => startLoad(product.url, { connections: 8, perSecond: 200 }))

  const before = load()
  await sleep(loadMs[form])
  await postgres.crash()
  await sleep(promotedAfterMs[form])
  await standby.promote()
  const promotedAt = performance.now()
  await stopAll(before)
  const after = load()
  await Promise.all(after.map((one) => one.progress(1)))
  const backMs = performance.now() - promotedAt
  await sleep(1_000)
  const acknowledged = await stopAll([...before, ...after])

  await stage.settle(products, {
    acknowledged,
    database: url.replace(/host=[^,]*,/, 'host='),
    interrupted: () => mailsInFlight * instances,
    mayLoseRows: !synchronous,
  })
  const back = `${seconds(backMs)} after the promotion`
  stage.expectNone(wrongAnswers([...before, ...after]), 'answers were neither 200 nor 503')
  stage.expect(backMs <= backWithinMs, `sign-ups were stored again only ${back}`)
  const { lost, duplicates } = stage.counts ?? {}
  stage.note(
    `${synchronous ? 'synchronous' : 'asynchronous'} standby: ${acknowledged.size} acknowledged, ${lost} lost, ${duplicates} duplicates; back ${back}`,
  )
}
