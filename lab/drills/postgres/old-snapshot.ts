import { Client } from 'pg'
import { type PostgresServer, startPostgresServer } from '#rigs/database/postgres-server.ts'
import { type ClaimDeps, claimMail, newClaimFloor, record } from '#server/deliveries/deliveries.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { newToken } from '#server/subscribers/subscribers.ts'
import { percentile } from '#rigs/load.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import type { Form, Outcome } from '../rig/drill.ts'
import { newAddress } from '../rig/load.ts'

const signUpsPerSecond = 800
/** 10 minutes of sign-ups in the long form. */
const groupsOf = { short: 400, long: 4_800 }
const groupSize = 100
const mostTimes = { short: 2, long: 1.1 }

/**
 * A dump holds its snapshot while mail goes out, so that PostgreSQL keeps every version of every row. Claims must not become
 * slower with them. A second database on the same server, without a dump, takes the same groups in turn.
 */
export async function holdOldSnapshot(form: Form): Promise<Outcome | { skipped: string }> {
  await using postgres = await startPostgresServer()
  if (!postgres) return { skipped: 'there is no PostgreSQL on this machine' }
  const [free, held] = [await openList(postgres), await openList(postgres)]
  const dump = await startDump(held.url)
  const claims: { free: number; held: number }[] = []
  for (let group = 0; group < groupsOf[form]; group += 1)
    claims.push({ free: await free.claimGroup(), held: await held.claimGroup() })
  await dump.end()
  await Promise.all([free.close(), held.close()])
  return compare(claims, form)
}

/** The last quarter, when most old versions are there. */
function compare(claims: readonly { free: number; held: number }[], form: Form): Outcome {
  const last = claims.slice(-claims.length / 4)
  const [freeMs, heldMs] = (['free', 'held'] as const).map((name) =>
    percentile(
      last.map((one) => one[name]),
      0.5,
    ),
  )
  const times = heldMs! / freeMs!
  const rows = claims.length * groupSize
  return {
    counts: { acknowledged: rows, rows, mails: rows, duplicates: 0, lost: 0 },
    broken:
      times > mostTimes[form] ? [`a claim took ${times.toFixed(2)} times as long as without a dump`] : [],
    notes: [
      `claims after ${rows} sign-ups: median ${heldMs!.toFixed(2)} ms beside a dump, ${freeMs!.toFixed(2)} ms without (${times.toFixed(2)} times)`,
    ],
  }
}

/** As pg_dump does for as long as it runs. */
async function startDump(url: string): Promise<Client> {
  const dump = new Client({ connectionString: url })
  await dump.connect()
  await dump.query('begin isolation level repeatable read')
  await dump.query('select count(*) from deliveries')
  return dump
}

async function openList(postgres: PostgresServer) {
  const url = await postgres.newDatabase()
  const database = await openDatabase(url)
  await migrate(database)
  let time = Date.now()
  const floor = newClaimFloor()
  const deps: ClaimDeps = { database, now: () => time, newToken, worker: 'drill', siteMailsPerHour: Infinity }

  /** Signs a group up, claims its mail and records it as sent. Returns how long the claim took, in ms. */
  async function claimGroup(): Promise<number> {
    time += (groupSize / signUpsPerSecond) * 1000
    await queueMails(database.query, Array.from({ length: groupSize }, newAddress), { now: time })
    const start = performance.now()
    const { mails } = await claimMail(deps, groupSize, groupSize, floor)
    const ms = performance.now() - start
    if (mails.length !== groupSize) throw new Error(`Claimed ${mails.length} of ${groupSize} mails`)
    await record(
      deps,
      mails.map((mail) => ({ mail, kind: 'sent', ms: 0 })),
    )
    return ms
  }

  return { url, claimGroup, close: () => database.close() }
}
