import { setTimeout as sleep } from 'node:timers/promises'
import { warmUpOff } from '#owner/mailings/sending/warm-up.ts'
import { startPostgresServer } from '#rigs/database/postgres-server.ts'
import { eventually } from '#rigs/eventually.ts'
import { ownerCommandLine, type Product } from '#rigs/product.ts'
import { rowsIn } from './rig/records.ts'
import {
  afterTheLeases,
  type Form,
  leftOut,
  onStage,
  type Outcome,
  type Site,
  type Stage,
} from './rig/stage.ts'

/** Kills of each set-up: one instance on SQLite, three on PostgreSQL. */
const kills = { short: 3, long: 50 }
const recipients = { short: 400, long: 20_000 }
const maxMs = 1_500
/** A machine that is busy otherwise sends 16 mails a second. */
const lastMailsMs = 40 * 60_000
/** Every third kill comes while the product starts. */
const atStart = 3
const shareDeferred = 0.03
const environment = { MAIL_RETRY_SECONDS: Array(30).fill('1').join() }

/**
 * kill -9 at random moments of a mailing, with sign-ups going on and a relay that answers 421
 * at times.
 */
export async function mailUnderKills(form: Form): Promise<Outcome[]> {
  const outcomes = [
    await onStage((stage) => killWhileMailing(form, stage, [stage.site], stage.site.databaseFile)),
  ]
  await using postgres = await startPostgresServer()
  if (!postgres) return [...outcomes, leftOut('three instances on PostgreSQL')]
  const url = await postgres.newDatabase()
  outcomes.push(
    await onStage(async (stage) => killWhileMailing(form, stage, await stage.sites(3, url), url)),
  )
  return outcomes
}

async function killWhileMailing(
  form: Form,
  stage: Stage,
  sites: readonly Site[],
  database: string,
) {
  const { mailbox } = stage
  await seed(sites[0]!, database, recipients[form])
  mailbox.behave(() =>
    Math.random() < shareDeferred
      ? { does: 'answer', code: 421, to: 'data' }
      : { does: 'accept', afterMs: 5 },
  )
  const crowds = sites.map(({ url }) => stage.crowd({ connections: 4, perSecond: 20 }, url))
  for (let kill = 1; kill <= kills[form]; kill += 1) {
    await killOnce(sites, kill % atStart === 0)
    await stage.noteInterruptions(database)
  }
  await Promise.all(crowds.map((crowd) => crowd.stop()))
  mailbox.behave({ does: 'accept' })
  const preload = afterTheLeases(form)
  const last = await Promise.all(sites.map((site) => site.start({ preload, environment })))
  await sendMailing(sites[0]!).exited
  const isDone = () => rowsIn(database, `select 1 from mailings where state = 'done'`)
  await eventually('the mailing ends', async () => (await isDone()).length === 1, lastMailsMs)
  await stage.settle(last, { database, withinMs: lastMailsMs })
  const [row] = await rowsIn(
    database,
    'select count(*) as made, count(distinct subscriber) as people from deliveries where mailing is not null',
  )
  const made = Number(row?.['made'])
  const people = Number(row?.['people'])
  const isWhole = made === recipients[form] && people === recipients[form]
  stage.expect(isWhole, `${made} deliveries to ${people} people, not to ${recipients[form]}`)
  const where = sites.length === 1 ? 'one instance on SQLite' : 'three instances on PostgreSQL'
  stage.note(
    `${where}: ${recipients[form]} recipients, ${kills[form]} kills, ${stage.interrupted()} attempts interrupted, ${mailbox.refusals} answers of 421`,
  )
}

/**
 * Servers and command die at the same moment, so that the mailbox then knows every attempt that was
 * interrupted.
 */
async function killOnce(sites: readonly Site[], atTheirStart: boolean): Promise<void> {
  const servers = sites.map((site) => site.launch({ environment }))
  const command = sendMailing(sites[0]!)
  if (!atTheirStart) await Promise.all(servers.map((server) => server.ready()))
  await sleep(Math.random() * maxMs)
  await Promise.all([...servers, command].map((product) => product.kill()))
}

/** The owner's command, in a process of its own. Once it has started, the letter is fixed. */
function sendMailing({ launch }: Site): Product {
  return launch({ command: ownerCommandLine('mailings', 'send', 'news', '--now') })
}

/** A letter, and people who signed up long ago and agreed to news. The domain needs no warm-up. */
async function seed({ start }: Site, database: string, people: number): Promise<void> {
  const migrating = await start()
  await migrating.terminate()
  await rowsIn(database, `insert into settings values ('${warmUpOff}', 'yes')`)
  await rowsIn(
    database,
    `insert into mailings (name, state, subject, words, changed_at)
     values ('news', 'draft', 'News', 'Something new.', 0)`,
  )
  await rowsIn(
    database,
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${people})
     insert into subscribers (identity, address, state, signed_up_at, announcements_agreed_at)
     select 'reader-' || i || '@drill.example', 'reader-' || i || '@drill.example', 'active', 0, 1 from n`,
  )
}
