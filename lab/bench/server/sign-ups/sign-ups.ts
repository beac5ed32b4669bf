import { join } from 'node:path'
import { type Bench, startBenchProduct } from '../../bench.ts'
import { type Child, startChild } from '../../child.ts'
import { type LoadResult, signUpRequests, startLoadGenerator } from '../../load.ts'
import type { PartReport, Row } from '../../report.ts'
import { compare, p99, perSecond, takeRounds } from '../../rounds.ts'
import type { FloorQuestion } from './bare-sign-up-server.ts'

const connections = 64
const floorProgram = join(import.meta.dirname, 'bare-sign-up-server.ts')

/** Compares durable sign-ups per second with the least work that a sign-up can take. */
export async function benchSignUps({ quick, folder, progress }: Bench): Promise<PartReport> {
  const [perRun, rounds] = quick ? [2_000, 2] : [20_000, 9]
  await using load = startLoadGenerator()
  await using product = await startBenchProduct(join(folder, 'ours'))
  await using floor = startChild(floorProgram)
  await using sameRows = startChild(floorProgram)
  const portOf = async (child: Child, question: FloorQuestion) =>
    (await child.ask<{ port: number }>(question)).port
  const floorPort = await portOf(floor, { file: join(folder, 'floor.db'), stores: 'address' })
  const sameRowsPort = await portOf(sameRows, { file: join(folder, 'same-rows.db'), stores: 'sign-up' })
  const request = signUpRequests(product.url)
  const run = (port: number) => (round: number) =>
    load.run({ port, connections, request, first: (round + 1) * perRun, count: perRun })
  const memory: number[] = []
  const runOurs = async (round: number) => {
    const result = await run(product.port)(round)
    memory.push(product.residentMb())
    return result
  }
  const runs = { ours: runOurs, floor: run(floorPort), sameRows: run(sameRowsPort) }
  // The first run of each warms up the compilers.
  for (const warmUp of Object.values(runs)) await warmUp(-1)
  return report(await takeRounds(rounds, runs, progress), memory, perRun)
}

function report(
  { ours, floor, sameRows }: Record<'ours' | 'floor' | 'sameRows', LoadResult[]>,
  memory: number[],
  perRun: number,
): PartReport {
  const throughput = `throughput, ${connections} connections`
  return {
    title: 'Sign-ups',
    notes: notesOf(perRun),
    rows: [
      compare(throughput, ours, ['floor', floor], perSecond, { least: 0.8 }),
      compare(throughput, ours, ['floor with our rows', sameRows], perSecond),
      compare('slowest in a hundred (p99)', ours, ['floor', floor], p99, { most: 2 }),
      memoryRow(memory, perRun),
    ],
  }
}

function notesOf(perRun: number): string[] {
  return [
    `${connections} keep-alive connections, ${perRun} sign-ups a run, new addresses all of them; the same request bytes to both, from a load generator in a process of its own; files on the project's disk.`,
    'Ours: start.ts as in production, the limits per visitor and per address off. Mail is owed but waits: nobody listens at SMTP_URL, and one mail now and then asks whether somebody does.',
    'Floor: bare node:http and node:sqlite, WAL, synchronous FULL; JSON.parse and a grouped insert into one table of one column, the same JSON back.',
    'Floor with our rows: the same server, but it stores what ours stores of a sign-up, in our tables: the subscriber and the mail owed.',
  ]
}

function memoryRow(memory: number[], perRun: number): Row {
  const [early, late] = [memory[0]!, memory[Math.min(4, memory.length - 1)]!]
  const lateCount = perRun * Math.min(5, memory.length)
  return {
    what: `memory after ${lateCount.toLocaleString('en')} sign-ups`,
    ours: `${late.toFixed(0)} MB`,
    other: `after ${perRun.toLocaleString('en')}: ${early.toFixed(0)} MB`,
    ratio: late / early,
    goal: { most: 1.25 },
  }
}
