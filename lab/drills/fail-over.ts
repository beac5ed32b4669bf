import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgresServer } from '#rigs/database/postgres-server.ts'
import { type Form, onStage, type Outcome, seconds, Skipped, type Stage } from './rig/stage.ts'

const loadMs = { short: 1_000, long: 10_000 }
/** The time to notice that the primary is dead, and to decide. */
const awayMs = { short: 2_000, long: 10_000 }
const backWithinMs = 10_000
const instances = 3
const mailsInFlight = 4 // MAIL_CONCURRENCY

/**
 * Three instances on a PostgreSQL with a synchronous standby, behind one address that moves, as a
 * managed database has. One instance is killed, then the primary. The standby is promoted, and the
 * address leads to it. Nothing is lost.
 */
export function failOver(form: Form): Promise<Outcome> {
  return onStage((stage) => killPrimary(stage, form))
}

async function killPrimary(stage: Stage, form: Form): Promise<void> {
  await using postgres = await startPostgresServer()
  if (!postgres) throw new Skipped('there is no PostgreSQL on this machine')
  const made = await postgres.newDatabase()
  await using standby = await postgres.addStandby()
  const address = join(stage.site.folder, 'postgres')
  symlinkSync(postgres.folder, address)
  const database = made.replace(postgres.folder, address)
  const sites = await stage.sites(instances, database)
  const products = await Promise.all(sites.map((site) => site.start()))
  const crowds = products.map(({ url }) => stage.crowd({ connections: 8, perSecond: 100 }, url))
  await sleep(loadMs[form])
  const [dead, ...living] = products
  await dead?.kill()
  await postgres.crash()
  await sleep(awayMs[form])
  await standby.promote()
  rmSync(address)
  symlinkSync(standby.folder, address)

  const movedAt = performance.now()
  await Promise.all(crowds.slice(1).map((crowd) => crowd.progress(1)))
  const backMs = performance.now() - movedAt
  await sleep(loadMs[form])
  await stage.settle(living, { database, interrupted: () => mailsInFlight * instances })
  const back = `${seconds(backMs)} after the address moved`
  stage.expect(backMs <= backWithinMs, `sign-ups were stored again only ${back}`)
  stage.note(`back ${back}`)
}
