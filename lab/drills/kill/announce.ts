import { setTimeout as sleep } from 'node:timers/promises'
import { releases } from '#content/releases.ts'
import { percentile } from '#rigs/load.ts'
import { startPostgresServer } from '#rigs/database/postgres-server.ts'
import type { Product } from '#rigs/product.ts'
import { afterTheLeases } from '../rig/preloads.ts'
import { faultsOf, settle } from '../rig/account.ts'
import { addOutcomes, type Form, type Outcome } from '../rig/drill.ts'
import { eventually } from '../rig/eventually.ts'
import { Interruptions } from '../rig/interruptions.ts'
import { startLoad } from '../rig/load.ts'
import { readDeliveries, readDeliveriesAfterCrash, rowsIn } from '../rig/records.ts'
import { onStage, type Stage, stageOfInstance } from '../rig/stage.ts'

/** Kills of each set-up: one instance on SQLite, three on PostgreSQL. */
const kills = { short: 3, long: 100 }
const recipients = { short: 400, long: 20_000 }
const mostMs = 1_500
/** Every third kill comes while the product starts. */
const atStart = 3
const measuredMs = { short: 3_000, long: 30_000 }
const mostLaterMs = 100
const shareDeferred = 0.03

/** kill -9 at random moments of an announcement, with sign-ups going on and a relay that answers 421 at times. */
export async function announceUnderKills(form: Form): Promise<Outcome> {
  const outcomes = [
    await onStage((stage) => killWhileAnnouncing(form, stage, [stage], stage.place.databaseFile)),
  ]
  const postgres = await startPostgresServer()
  if (postgres) {
    const url = await postgres.newDatabase()
    const inThree = async (stage: Stage) => {
      const instances = await Promise.all([1, 2, 3].map((number) => stageOfInstance(stage, number, url)))
      return killWhileAnnouncing(form, stage, instances, url)
    }
    outcomes.push(await onStage(inThree).finally(() => postgres.destroy()))
  }
  return addOutcomes([...outcomes, await compareQueueTimes(form)])
}

async function killWhileAnnouncing(
  form: Form,
  stage: Stage,
  instances: readonly Stage[],
  database: string,
): Promise<Outcome> {
  const { mailbox } = stage
  await seed(instances[0]!, database, recipients[form])
  mailbox.behave(() =>
    Math.random() < shareDeferred
      ? { does: 'answer', code: 421, to: 'data' }
      : { does: 'accept', afterMs: 5 },
  )
  const loads = instances.map(({ place }) => startLoad(place.url, { connections: 4, perSecond: 20 }))
  const interruptions = new Interruptions()
  for (let kill = 0; kill < kills[form]; kill += 1) {
    await killOnce(instances, kill % atStart === atStart - 1)
    await mailbox.idle()
    interruptions.note(await deliveriesNow(stage, database), mailbox.mails)
  }
  await Promise.all(loads.map((load) => load.stop()))
  mailbox.behave({ does: 'accept' })

  const last = instances.map((instance) => launchServer(instance, afterTheLeases(form)))
  await Promise.all(last.map((product) => product.ready()))
  await announce(instances[0]!).exited
  const { counts, broken } = await settle(stage, last, {
    database,
    acknowledged: new Set(loads.flatMap(({ acknowledged }) => [...acknowledged])),
    interrupted: (messageId) => interruptions.of(messageId),
    deliveredWithinMs: 600_000,
  })
  broken.push(...(await faultsOfRows(database, recipients[form])))
  const where = instances.length === 1 ? 'one instance on SQLite' : 'three instances on PostgreSQL'
  const note = `${where}: ${recipients[form]} recipients, ${kills[form]} kills, ${interruptions.total} attempts interrupted, ${mailbox.refusals()} answers of 421`
  return { counts, broken, notes: [note] }
}

/** Servers and command die at the same moment, so that the mailbox then knows every attempt that was interrupted. */
async function killOnce(instances: readonly Stage[], atTheirStart: boolean): Promise<void> {
  const servers = instances.map((one) => launchServer(one))
  const command = announce(instances[0]!)
  if (!atTheirStart) await Promise.all(servers.map((server) => server.ready()))
  await sleep(Math.random() * mostMs)
  await Promise.all([...servers, command].map((product) => product.kill()))
}

async function faultsOfRows(database: string, expected: number): Promise<string[]> {
  const [row] = await rowsIn(
    database,
    'select count(*) as made, count(distinct subscriber) as people from deliveries where announcement is not null',
  )
  const [made, people] = [Number(row?.['made']), Number(row?.['people'])]
  return made === expected && people === expected
    ? []
    : [`${made} deliveries to ${people} people, not to ${expected}`]
}

function launchServer({ launch }: Stage, preload: URL[] = []): Product {
  return launch({ preload, environment: { MAIL_RETRY_SECONDS: Array(30).fill('1').join() } })
}

/** The owner's real command, in a process of its own. */
function announce({ launch }: Stage): Product {
  const [{ version } = { version: '' }] = releases
  const words = ['announce', version, '--to', 'consented', '--per-hour', '1000000']
  return launch({ command: [process.execPath, 'owner/command-line/main.ts', ...words] })
}

/** People who signed up long ago and asked for news. */
async function seed(instance: Stage, database: string, people: number): Promise<void> {
  const product = launchServer(instance)
  await product.ready()
  await product.terminate()
  await rowsIn(
    database,
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${people})
     insert into subscribers (identity, address, state, signed_up_at, last_mailed_at, announcements_agreed_at)
     select 'reader-' || i || '@drill.example', 'reader-' || i || '@drill.example', 'active', 0, 0, 1 from n`,
  )
}

function deliveriesNow({ place }: Stage, database: string) {
  return database === place.databaseFile ? readDeliveriesAfterCrash(place) : readDeliveries(database)
}

/** The time from a sign-up's commit to its mail, beside an announcement and without one. */
async function compareQueueTimes(form: Form): Promise<Outcome> {
  const [alone, beside] = [await queueTimes(form, false), await queueTimes(form, true)]
  const words = ({ p99, mails }: typeof alone) => `${p99.toFixed(0)} ms (${mails} mails)`
  // A busy machine decides in the short form.
  const isSlower = form === 'long' && beside.p99 > alone.p99 + mostLaterMs
  return {
    counts: { acknowledged: 0, rows: 0, mails: 0, duplicates: 0, lost: 0 },
    broken: faultsOf(isSlower ? 1 : 0, 'time: sign-up mails wait for the announcement'),
    notes: [`p99 from sign-up to mail: ${words(alone)} alone, ${words(beside)} beside an announcement`],
  }
}

function queueTimes(form: Form, isAnnouncing: boolean): Promise<{ p99: number; mails: number }> {
  return onStage(async (stage) => {
    const database = stage.place.databaseFile
    await seed(stage, database, isAnnouncing ? 20_000 : 1)
    stage.mailbox.behave({ does: 'accept', afterMs: 5 })
    const product = launchServer(stage)
    await product.ready()
    if (isAnnouncing) await announce(stage).exited
    const load = startLoad(stage.place.url, { connections: 4, perSecond: 40 })
    await sleep(measuredMs[form])
    await load.stop()
    const signUps = 'from deliveries where announcement is null and state '
    await eventually('the mails of sign-ups are sent', async () => {
      return (await rowsIn(database, `select 1 ${signUps} <> 'sent' limit 1`)).length === 0
    })
    const times = await rowsIn(database, `select finished_at - queued_at as ms ${signUps} = 'sent'`)
    await product.terminate()
    const waits = times.map(({ ms }) => Number(ms))
    return { p99: percentile(waits, 0.99), mails: waits.length }
  })
}
