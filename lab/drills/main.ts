// `npm run drill [-- NAME …] [--short]`: kills the product, fails its peers, floods it, and counts what was lost.
import { setTimeout as sleep } from 'node:timers/promises'
import { buildIfStale } from '#build/build.ts'
import { walkContainer } from '../machines/container.ts'
import { runUnits } from '../machines/systemd.ts'
import { drainBacklog } from './backlog.ts'
import { restoreBackups } from './backup.ts'
import { keepSlowClients } from './crowd/slow-clients.ts'
import { fillDisk } from './disk/disk-full.ts'
import { countSyncs } from './disk/fsync.ts'
import { announceUnderKills } from './kill/announce.ts'
import { killAtMoments, killAtRandom } from './kill/kill.ts'
import { failOver, runSeveralInstances } from './postgres/instances.ts'
import { holdOldSnapshot } from './postgres/old-snapshot.ts'
import { addCounts } from './rig/account.ts'
import { type Drill, type Form, Skipped } from './rig/stage.ts'
import { stopUnderLoad } from './sigterm.ts'
import { breakSmtp } from './smtp-faults.ts'
import { writeMeanwhile } from './writer.ts'

const quickDrills: Record<string, Drill> = {
  kill: killAtRandom,
  moments: killAtMoments,
  smtp: breakSmtp,
  disk: fillDisk,
  sigterm: stopUnderLoad,
  backlog: drainBacklog,
  backup: restoreBackups,
  writer: writeMeanwhile,
  fsync: countSyncs,
}
/** `--short` leaves these out unless they are named: each waits for minutes, measures, or builds a machine. */
const slowDrills: Record<string, Drill> = {
  announce: announceUnderKills,
  slow: keepSlowClients,
  // The lease of a killed instance ends after 45 s, and the clocks of the other instances cannot be set.
  several: runSeveralInstances,
  'fail-over': failOver,
  'old-snapshot': holdOldSnapshot,
  container: walkContainer,
  systemd: runUnits,
}
const drills = { ...quickDrills, ...slowDrills }

const form: Form = process.argv.includes('--short') ? 'short' : 'long'
const maxMinutes = form === 'short' ? 5 : 30
const asked = process.argv.slice(2).filter((word) => word !== '--short')
const unknown = asked.filter((name) => !Object.hasOwn(drills, name))
if (unknown.length > 0) {
  console.error(`No drill "${unknown.join('", "')}". There are: ${Object.keys(drills).join(', ')}`)
  process.exit(2)
}

process.setMaxListeners(100) // each product that runs is ended with this process
await buildIfStale()
const toRun = Object.entries(asked.length > 0 || form === 'long' ? drills : quickDrills).filter(
  ([name]) => asked.length === 0 || asked.includes(name),
)
// The short form mostly waits, so three drills run at once. The long form measures, so each drill runs alone.
const lanes = form === 'short' ? 3 : 1
await Promise.all(Array.from({ length: lanes }, runNext))
process.exit()

async function runNext(): Promise<void> {
  for (let next = toRun.shift(); next !== undefined; next = toRun.shift())
    if (!(await passes(...next))) process.exitCode = 1
}

async function passes(name: string, drill: Drill): Promise<boolean> {
  const start = performance.now()
  const seconds = () => ((performance.now() - start) / 1000).toFixed(1)
  try {
    // A drill that hangs has failed; the others still run.
    const tooLate = sleep(maxMinutes * 60_000).then(() =>
      Promise.reject(new Error(`No end after ${maxMinutes} min`)),
    )
    const outcomes = [await Promise.race([drill(form), tooLate])].flat()
    const counts = addCounts(outcomes.flatMap((one) => one.counts ?? []))
    const broken = outcomes.flatMap((one) => one.broken)
    const figures = Object.entries(counts).map(([what, count]) => `${what} ${count}`)
    const verdict = broken.length > 0 ? 'BROKEN' : 'kept'
    console.log([name.padEnd(8), ...figures, `seconds ${seconds()}`, verdict].join('  '))
    for (const note of outcomes.flatMap(({ notes }) => notes)) console.log(`         ${note}`)
    for (const fault of broken) console.log(`         BROKEN ${fault}`)
    return broken.length === 0
  } catch (fault) {
    const isSkipped = fault instanceof Skipped
    console.log(
      `${name.padEnd(8)} ${isSkipped ? `skipped: ${fault.message}` : `BROKEN after ${seconds()} s`}`,
    )
    if (!isSkipped) console.log(fault)
    return isSkipped
  }
}
