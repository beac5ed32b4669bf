import { join } from 'node:path'
import { type Bench, connections, newSignUps, runLoad, startBenchProduct } from '../../bench.ts'
import type { PartReport } from '../../report.ts'
import { compare, memoryGrowth, p99, perSecond, takeRounds } from '../../rounds.ts'
import { startBareServer } from './bare-sign-up-server.ts'

/** Compares durable sign-ups per second with the least work that a sign-up can take. */
export async function benchSignUps({ quick, folder, progress }: Bench): Promise<PartReport> {
  const [perRun, rounds] = quick ? [2_000, 2] : [20_000, 9]
  await using product = await startBenchProduct(join(folder, 'ours'))
  await using bare = await startBareServer(join(folder, 'floor.db'), 'address')
  await using bareWithRows = await startBareServer(join(folder, 'same-rows.db'), 'sign-up')
  const run = (port: number) => () => runLoad(port, newSignUps(product.url, perRun))
  const memory: number[] = []
  const runOurs = async () => {
    const result = await run(product.port)()
    memory.push(product.residentMb())
    return result
  }
  const runs = { ours: runOurs, floor: run(bare.answer), sameRows: run(bareWithRows.answer) }
  await takeRounds(1, runs) // warms up the compilers
  const { ours, floor, sameRows } = await takeRounds(rounds, runs, progress)
  const throughput = `throughput, ${connections} connections`
  const late = Math.min(5, memory.length)
  const after = (count: number): [string, number] => [
    `after ${(perRun * count).toLocaleString('en')} sign-ups`,
    memory[count - 1]!,
  ]
  return {
    title: 'Sign-ups',
    notes: notesOf(perRun),
    rows: [
      compare(throughput, ours, ['floor', floor], perSecond, { min: 0.8 }),
      compare(throughput, ours, ['floor with our rows', sameRows], perSecond),
      compare('slowest in a hundred (p99)', ours, ['floor', floor], p99, { max: 2 }),
      memoryGrowth(after(late), after(1)),
    ],
  }
}

function notesOf(perRun: number): string[] {
  return [
    `${connections} keep-alive connections, ${perRun} sign-ups a run, new addresses all of them; the same request bytes to both, from a load generator in the process of the bench; files on the project's disk.`,
    'Ours: start.ts as in production, the limits per visitor and per address off. Mail is queued and waits: no server listens at SMTP_URL, and one mail now and then is tried.',
    'Floor: bare node:http and node:sqlite, WAL, synchronous FULL; JSON.parse and a grouped insert into one table of one column, the same JSON back.',
    'Floor with our rows: the same server, but it stores what ours stores of a sign-up, in our tables: the subscriber and the queued mail.',
  ]
}
