// `npm run drill [-- NAME …] [--short]`: kills the product, fails its peers, floods it, and counts what was lost.
import { buildIfStale } from '#build/build.ts'
import { announceUnderKills } from './kill/announce.ts'
import { restoreBackups } from './backup.ts'
import { fillDisk } from './disk/disk-full.ts'
import { failOver } from './postgres/fail-over.ts'
import { drainBacklog } from './backlog.ts'
import { countSyncs } from './disk/fsync.ts'
import { killAtMoments } from './kill/kill-moments.ts'
import { killAtRandom } from './kill/kill.ts'
import { followMarker } from './privacy/privacy.ts'
import { walkContainer } from '../machines/container.ts'
import { runUnits } from '../machines/systemd.ts'
import type { Drill, Form } from './rig/drill.ts'
import { holdOldSnapshot } from './postgres/old-snapshot.ts'
import { runSeveralInstances } from './postgres/several-instances.ts'
import { stopUnderLoad } from './sigterm.ts'
import { keepSlowClients } from './crowd/slow-clients.ts'
import { surviveStorm } from './crowd/storm.ts'
import { breakSmtp } from './smtp-faults.ts'
import { writeMeanwhile } from './writer.ts'

const drills: Record<string, { run: Drill; inShort: boolean }> = {
  kill: { run: killAtRandom, inShort: true },
  moments: { run: killAtMoments, inShort: true },
  smtp: { run: breakSmtp, inShort: true },
  disk: { run: fillDisk, inShort: true },
  sigterm: { run: stopUnderLoad, inShort: true },
  backlog: { run: drainBacklog, inShort: true },
  backup: { run: restoreBackups, inShort: true },
  announce: { run: announceUnderKills, inShort: false },
  // Its time limits alone take a minute, and its figures need a quiet machine.
  slow: { run: keepSlowClients, inShort: false },
  // A minute and a half, with a clock that runs ahead of it.
  storm: { run: surviveStorm, inShort: false },
  writer: { run: writeMeanwhile, inShort: true },
  fsync: { run: countSyncs, inShort: true },
  privacy: { run: followMarker, inShort: true },
  // The lease of a killed instance ends after 45 s, and the clocks of the other instances cannot be set.
  several: { run: runSeveralInstances, inShort: false },
  'fail-over': { run: failOver, inShort: false },
  'old-snapshot': { run: holdOldSnapshot, inShort: false },
  // Makes a Debian and an image, which takes a minute.
  container: { run: walkContainer, inShort: false },
  systemd: { run: runUnits, inShort: false },
}

const form: Form = process.argv.includes('--short') ? 'short' : 'long'
const minutesAtMost = form === 'short' ? 5 : 30
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const unknown = asked.filter((name) => !Object.hasOwn(drills, name))
if (unknown.length > 0) {
  console.error(`No drill "${unknown.join('", "')}". There are: ${Object.keys(drills).join(', ')}`)
  process.exit(2)
}

process.setMaxListeners(100) // each product that runs is ended with this process
await buildIfStale()
const toRun = Object.entries(drills).filter(([name, { inShort }]) =>
  asked.length > 0 ? asked.includes(name) : form === 'long' || inShort,
)
// The short form mostly waits, so three drills run at once. The long form measures, so each drill runs alone.
const lanes = form === 'short' ? 3 : 1
await Promise.all(Array.from({ length: lanes }, runNext))
process.exit()

async function runNext(): Promise<void> {
  for (let next = toRun.shift(); next !== undefined; next = toRun.shift()) {
    const [name, { run }] = next
    if (!(await passes(name, run))) process.exitCode = 1
  }
}

async function passes(name: string, run: Drill): Promise<boolean> {
  const start = performance.now()
  try {
    const outcome = await inTime(run(form))
    if ('skipped' in outcome) {
      console.log(`${name.padEnd(8)} skipped: ${outcome.skipped}`)
      return true
    }
    const { counts, broken, notes } = outcome
    const verdict = broken.length > 0 ? 'BROKEN' : 'kept'
    const figures = Object.entries(counts).map(([what, count]) => `${what} ${count}`)
    console.log([name.padEnd(8), ...figures, `seconds ${secondsSince(start)}`, verdict].join('  '))
    for (const note of notes) console.log(`         ${note}`)
    for (const fault of broken) console.log(`         BROKEN ${fault}`)
    return broken.length === 0
  } catch (fault) {
    console.log(`${name.padEnd(8)} BROKEN after ${secondsSince(start)} s`)
    console.log(fault)
    return false
  }
}

/** A drill that hangs has failed; the others still run. */
function inTime<Result>(drilling: Promise<Result>): Promise<Result> {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => limit.reject(new Error(`No end after ${minutesAtMost} min`)),
    minutesAtMost * 60_000,
  )
  return Promise.race([drilling, limit.promise]).finally(() => clearTimeout(timer))
}

function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1)
}
