import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '#rigs/load.ts'
import { root } from '#rigs/product.ts'
import { type Bench, startBenchProduct } from './bench.ts'
import { compare, inMb, inMs, measured, type Row, takeRounds } from './rounds.ts'

const idleAfterMs = 4_000

/**
 * Times a start until the first connection is accepted, with nothing to install, build or migrate.
 */
export async function benchStart({ quick, folder, beside }: Bench): Promise<Row[]> {
  const start = (name: string, checkout?: string, waitMs = 0) => {
    const own = `${folder}/${name}`
    return () => startOnce(own, waitMs, checkout)
  }
  const runs: Record<string, () => ReturnType<typeof startOnce>> = { ours: start('ours') }
  if (beside !== undefined) {
    runs['wrapped'] = start('wrapped', root)
    runs['beside'] = start('beside', beside)
  }
  runs['published'] = start('published')
  await takeRounds(1, runs) // makes the databases
  publishPage(`${folder}/published`)
  const rounds = await takeRounds(quick ? 2 : 9, runs)
  const { ours = [], wrapped = [], published = [], beside: others } = rounds
  const { idle } = await takeRounds(quick ? 1 : 3, { idle: start('ours', undefined, idleAfterMs) })
  const ms = { of: (one: { ms: number }) => one.ms, show: inMs }
  return [
    measured('the server listens', median(ours.map(ms.of)), inMs, { max: 300 }),
    measured('with a published page', median(published.map(ms.of)), inMs, { max: 1_500 }),
    ...(others ? [compare('npm start, without npm', ms, wrapped, ['beside', others])] : []),
    measured('memory, idle', median(idle.map((one) => one.idleMb)), inMb, { max: 100 }),
  ]
}

async function startOnce(folder: string, waitMs: number, checkout?: string) {
  const startedAt = performance.now()
  await using product = await startBenchProduct(folder, {}, checkout)
  const ms = performance.now() - startedAt
  await sleep(waitMs)
  return { ms, idleMb: product.residentMb() }
}

/** Publishes a page with a script of its own, by the owner's command. */
function publishPage(folder: string): void {
  const script = '//@version=6\n// Version 1.0.0, 2026-11-25\nstrategy("RSI turn")\n'
  const page = {
    format: 'starter-bot content 1',
    texts: { 'brand.name': 'Turn Bot' },
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
  execFileSync(process.execPath, ['dist/server/server.mjs', 'owner', 'content', 'import', file], {
    cwd: root,
    env: { DATABASE_URL: `file:${join(folder, 'starter-bot.db')}` },
  })
}
