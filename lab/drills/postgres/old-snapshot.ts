import { Client } from 'pg'
import { percentile } from '#rigs/load.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { type ClaimDeps, claimMail, newClaimFloor, record } from '#server/deliveries/deliveries.ts'
import { newAddress } from '../rig/load.ts'
import { type Form, needPostgres, onStage } from '../rig/stage.ts'

const signUpsPerSecond = 800
/** 10 minutes of sign-ups in the long form. */
const groupsOf = { short: 400, long: 4_800 }
const groupSize = 100
const maxTimes = { short: 2, long: 1.1 }

/**
 * A dump holds its snapshot while mail goes out, so that PostgreSQL keeps every version of every row. Claims must not become
 * slower with them. A second database on the same server, without a dump, takes the same groups in turn.
 */
export function holdOldSnapshot(form: Form) {
  return onStage(async (stage) => {
    await using postgres = await needPostgres()
    await using free = await openList(await postgres.newDatabase())
    const heldUrl = await postgres.newDatabase()
    await using held = await openList(heldUrl)
    const dump = new Client({ connectionString: heldUrl })
    await dump.connect()
    // pg_dump holds its snapshot like this for as long as it runs.
    await dump.query('begin isolation level repeatable read')
    await dump.query('select count(*) from deliveries')
    const [freeMs, heldMs]: [number[], number[]] = [[], []]
    for (let group = 0; group < groupsOf[form]; group += 1) {
      freeMs.push(await free.claimGroup())
      heldMs.push(await held.claimGroup())
    }
    await dump.end()

    // The last quarter, when most old versions are there.
    const lastMedian = (all: number[]) => percentile(all.slice(-all.length / 4), 0.5)
    const [alone, beside] = [lastMedian(freeMs), lastMedian(heldMs)]
    const times = beside / alone
    const rows = groupsOf[form] * groupSize
    stage.counts = { acknowledged: rows, rows, mails: rows, duplicates: 0, lost: 0 }
    stage.expect(times <= maxTimes[form], `a claim took ${times.toFixed(2)} times as long as without a dump`)
    stage.note(
      `claims after ${rows} sign-ups: median ${beside.toFixed(2)} ms beside a dump, ${alone.toFixed(2)} ms without (${times.toFixed(2)} times)`,
    )
  })
}

async function openList(url: string) {
  const database = await openDatabase(url)
  await migrate(database)
  let time = Date.now()
  const floor = newClaimFloor()
  const deps: ClaimDeps = { database, now: () => time, worker: 'drill', siteMailsPerHour: Infinity }
  return {
    /** Signs a group up, claims its mail and records it as sent. Returns how long the claim took, in ms. */
    async claimGroup(): Promise<number> {
      time += (groupSize / signUpsPerSecond) * 1000
      await queueMails(database.query, Array.from({ length: groupSize }, newAddress), { now: time })
      const start = performance.now()
      const { mails } = await claimMail(deps, groupSize, groupSize, floor)
      const ms = performance.now() - start
      if (mails.length !== groupSize) throw new Error(`Claimed ${mails.length} of ${groupSize} mails`)
      await record(
        deps,
        mails.map((claim) => ({ claim, kind: 'sent', ms: 0 })),
      )
      return ms
    },
    [Symbol.asyncDispose]: () => database.close(),
  }
}
