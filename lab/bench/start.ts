import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '#rigs/http/load.ts'
import { root, runOwnerCommand } from '#rigs/product.ts'
import { type Bench, startBenchProduct } from './rig/bench.ts'
import { compare, inMb, inMs, measured, type Row, takeRounds } from './rig/rounds.ts'

const idleAfterMs = 4_000

/**
 * Times a start until the first connection is accepted, with nothing to install, build or migrate.
 */
export async function benchStart({ quick, folder, beside }: Bench): Promise<Row[]> {
  const start = (name: string, waitMs = 0) => startOnce({ folder: join(folder, name), waitMs })
  const runs = { ours: () => start('ours'), published: () => start('published') }
  await takeRounds(1, runs) // makes the databases
  await publishPage(join(folder, 'published'))
  const { ours, published } = await takeRounds(quick ? 2 : 9, runs)
  const { idle } = await takeRounds(quick ? 1 : 3, { idle: () => start('ours', idleAfterMs) })
  return [
    measured('the server listens', median(ours.map(time.of)), inMs, { max: 300 }),
    measured('with a published page', median(published.map(time.of)), inMs, { max: 1_500 }),
    measured('memory, idle', median(idle.map(memory.of)), inMb, { max: 100 }),
    ...(beside === undefined ? [] : await benchBeside(beside, { quick, folder })),
  ]
}

/** Both by their own run.mjs, as `npm start` does it. */
async function benchBeside(
  beside: string,
  { quick, folder }: Pick<Bench, 'quick' | 'folder'>,
): Promise<Row[]> {
  const runs = (waitMs: number) => ({
    ours: () => startOnce({ folder: join(folder, 'through-run-mjs'), checkout: root, waitMs }),
    theirs: () => startOnce({ folder: join(folder, 'beside'), checkout: beside, waitMs }),
  })
  await takeRounds(1, runs(0)) // makes the databases
  const { ours, theirs } = await takeRounds(quick ? 2 : 9, runs(0))
  const idle = await takeRounds(quick ? 1 : 3, runs(idleAfterMs))
  const goal = { max: 1.05 }
  return [
    compare('npm start, without npm', time, ours, ['beside', theirs], goal),
    compare('memory of npm start, idle', memory, idle.ours, ['beside', idle.theirs], goal),
  ]
}

interface Start {
  ms: number
  idleMb: number
}

const time = { of: (one: Start) => one.ms, show: inMs }
const memory = { of: (one: Start) => one.idleMb, show: inMb }

interface StartOptions {
  folder: string
  /** Until its memory is read. */
  waitMs: number
  checkout?: string
}

async function startOnce({ folder, waitMs, checkout }: StartOptions): Promise<Start> {
  const startedAt = performance.now()
  await using product = await startBenchProduct(folder, {}, checkout)
  const ms = performance.now() - startedAt
  await sleep(waitMs)
  return { ms, idleMb: product.residentMb() }
}

/** Publishes a page with a script of its own, by the owner's command. */
async function publishPage(folder: string): Promise<void> {
  const script = '//@version=6\n// Version 1.0.0, 2026-11-25\nstrategy("RSI turn")\n'
  const page = {
    format: 'starter-bot content 1',
    texts: { 'brand.name': 'Turn Bot', 'kit.rule': 'It buys when the RSI turns.' },
    files: {
      script: {
        name: 'rsi-turn.pine',
        mediaType: 'text/plain',
        base64: Buffer.from(script).toString('base64'),
      },
    },
  }
  const file = join(folder, 'page.json')
  writeFileSync(file, JSON.stringify(page))
  const environment = { DATABASE_URL: `file:${join(folder, 'starter-bot.db')}` }
  await runOwnerCommand(environment, 'content', 'import', file)
}
