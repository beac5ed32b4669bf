// `npm run drill [-- NAME …] [--short]`: kills the product, makes its peers fail, and counts what
// was lost.
import { buildIfStale } from '#build/build-if-stale.ts'
import { fetchPostgresPrograms } from '#rigs/database/postgres-programs.ts'
import { mailUnderKills } from './announce.ts'
import { receiveAlerts } from './alerts.ts'
import { drainBacklog } from './backlog.ts'
import { restoreBackups } from './backup.ts'
import { fillDisk } from './disk-full.ts'
import { failOver } from './fail-over.ts'
import { killUnderLoad } from './kill.ts'
import { refuseUs } from './relay.ts'
import { addCounts } from './rig/account.ts'
import { type Drill, type Form, Skipped } from './rig/stage.ts'
import { liveWithTheSeries } from './series/series.ts'
import { stopUnderLoad } from './sigterm.ts'
import { breakSmtp } from './smtp-faults.ts'

const drills: Record<string, Drill> = {
  kill: killUnderLoad,
  smtp: breakSmtp,
  relay: refuseUs,
  disk: fillDisk,
  sigterm: stopUnderLoad,
  backlog: drainBacklog,
  backup: restoreBackups,
  alerts: receiveAlerts,
  announce: mailUnderKills,
  series: liveWithTheSeries,
  'fail-over': failOver,
}
/** `--short` leaves these out unless they are named: each takes a minute or more. */
const slow = new Set(['announce', 'fail-over', 'relay', 'series'])
const onPostgres = new Set(['announce', 'fail-over', 'series'])

const form: Form = process.argv.includes('--short') ? 'short' : 'long'
const named = process.argv.slice(2).filter((word) => word !== '--short')
const unknown = named.filter((name) => !Object.hasOwn(drills, name))
if (unknown.length > 0) {
  console.error(`No drill "${unknown.join('", "')}". There are: ${Object.keys(drills).join(', ')}`)
  process.exit(2)
}

process.setMaxListeners(100) // each product that runs is ended with this process
await buildIfStale()
const toRun = Object.entries(drills).filter(([name]) =>
  named.length > 0 ? named.includes(name) : form === 'long' || !slow.has(name),
)
if (toRun.some(([name]) => onPostgres.has(name))) await fetchPostgresPrograms()
// The short form mostly waits, so three drills run at once. The long form measures, so each drill
// runs alone.
await Promise.all(Array.from({ length: form === 'short' ? 3 : 1 }, runNext))
process.exit()

async function runNext(): Promise<void> {
  for (let next = toRun.shift(); next !== undefined; next = toRun.shift()) {
    if (!(await passes(...next))) process.exitCode = 1
  }
}

async function passes(name: string, drill: Drill): Promise<boolean> {
  const start = performance.now()
  const seconds = () => `${((performance.now() - start) / 1000).toFixed(1)} s`
  try {
    const outcomes = [await drill(form)].flat()
    const counts = addCounts(outcomes.flatMap((one) => one.counts ?? []))
    const broken = outcomes.flatMap((one) => one.broken)
    const figures = Object.entries(counts).map(([what, count]) => `${what} ${count}`)
    console.log(
      [name.padEnd(9), ...figures, seconds(), broken.length > 0 ? 'BROKEN' : 'kept'].join('  '),
    )
    for (const note of outcomes.flatMap(({ notes }) => notes)) console.log(`          ${note}`)
    for (const fault of broken) console.log(`          BROKEN ${fault}`)
    return broken.length === 0
  } catch (fault) {
    const isSkipped = fault instanceof Skipped
    console.log(
      `${name.padEnd(9)} ${isSkipped ? `skipped: ${fault.message}` : `BROKEN after ${seconds()}`}`,
    )
    if (!isSkipped) console.log(fault)
    return isSkipped
  }
}
