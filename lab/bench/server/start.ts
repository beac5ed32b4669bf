import { setTimeout as sleep } from 'node:timers/promises'
import { untilPortIsFree } from '#rigs/listening.ts'
import { findPlace, launchProduct } from '#rigs/product.ts'
import { type Bench, benchEnvironment } from '../bench.ts'
import type { PartReport } from '../report.ts'
import { inMb, inMs, measured, medianOf, takeRounds } from '../rounds.ts'

const idleAfterMs = 4_000
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

/** Times a start until the first connection is accepted, with nothing to install, build or migrate. */
export async function benchStart({ quick, folder, progress }: Bench): Promise<PartReport> {
  const rounds = quick ? 2 : 9
  const start = (command: string[], wait: number) => () => startOnce(command, folder, wait)
  const server = [process.execPath, 'start.ts']
  // The first start of all makes the database and the compile cache.
  for (const command of [server, [npm, 'start']]) await startOnce(command, folder, 0)
  const runs = { direct: start(server, 0), npmStart: start([npm, 'start'], 0) }
  const { direct, npmStart } = await takeRounds(rounds, runs, progress)
  const { idle } = await takeRounds(quick ? 1 : 3, { idle: start(server, idleAfterMs) })
  const ms = (starts: typeof direct) => medianOf(starts, (one) => one.ms)
  const idleMb = medianOf(idle, (one) => one.idleMb)
  return {
    title: 'Start',
    notes: [
      `From spawn to the first connection taken, median of ${rounds}; nothing to install, build or migrate, the compile cache of run.mjs filled. What npm start takes longer is npm and run.mjs.`,
      `Idle memory: resident set ${idleAfterMs / 1000} s after that.`,
      // Not measured here: it would fetch 440 MB.
      'From `git clone` to the first answer of the page, empty npm cache, by hand on 2026-11-22 in turn with the version of 2026-11-21, on two cores that other work shared: 91 MB fetched where it was 285; seven times in turn, the median 7.1 s where it was 14.1 s, the ratios 0.44 to 0.57, their median 0.48 (docs/decisions/0040).',
      'A release, first answer, median of 7: the folder 144 ms, the executable 145 ms, node start.ts 123 ms (docs/decisions/0038).',
    ],
    rows: [
      measured('node start.ts listens', ms(direct), inMs, { max: 300, unit: ' ms' }),
      measured('npm start listens', ms(npmStart), inMs),
      measured('memory, idle', idleMb, inMb, { max: 90, unit: ' MB' }),
    ],
  }
}

async function startOnce(command: string[], folder: string, waitMs: number) {
  const place = await findPlace(folder)
  const startedAt = performance.now()
  const product = launchProduct(place, { command, environment: benchEnvironment })
  await product.ready()
  const ms = performance.now() - startedAt
  await sleep(waitMs)
  const idleMb = product.residentMb()
  await product.terminate()
  await untilPortIsFree(place.port)
  return { ms, idleMb }
}
