import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { signUpPath } from '#contract/sign-up.ts'
import { residentMb, startChild } from '../child.ts'
import { type LoadResult, signUpRequest, startLoadGenerator } from '../load/load.ts'
import type { Bench } from '../main.ts'
import { anonKey, startProduct } from '../product.ts'
import type { PartReport } from '../report.ts'
import { medianOf, medianRatio, takeRounds } from '../rounds.ts'

const connections = 64

/** How many sign-ups a second are taken and stored for good, against the least that could be done for one. */
export async function benchSignUps({ quick, folder, progress }: Bench): Promise<PartReport> {
  const [perRun, rounds] = quick ? [2_000, 2] : [20_000, 9]
  for (const name of ['ours', 'floor']) mkdirSync(join(folder, name), { recursive: true })
  const load = startLoadGenerator()
  const product = await startProduct(join(folder, 'ours'))
  const floor = startChild(join(import.meta.dirname, 'bare-sign-up-server.ts'))
  try {
    const { port: floorPort } = await floor.ask<{ port: number }>({ file: join(folder, 'floor/floor.db') })
    const request = signUpRequest(product.url, signUpPath, anonKey)
    const run = (port: number) => (round: number) =>
      load.run({ port, connections, request, first: (round + 1) * perRun, count: perRun })
    const memory: number[] = []
    const runOurs = async (round: number) => {
      const result = await run(product.port)(round)
      memory.push(residentMb(product.process.pid))
      return result
    }
    // The first run of each is for the compilers to warm up.
    await runOurs(-1)
    await run(floorPort)(-1)
    const results = await takeRounds(rounds, { ours: runOurs, floor: run(floorPort) }, progress)
    return report(results, memory, perRun)
  } finally {
    await Promise.all([load.stop(), floor.stop(), product.stop()])
  }
}

function report(
  { ours, floor }: Record<'ours' | 'floor', LoadResult[]>,
  memory: number[],
  perRun: number,
): PartReport {
  const perSecond = (results: LoadResult[]) =>
    `${Math.round(medianOf(results, (one) => one.perSecond)).toLocaleString('en')}/s`
  const p99 = (results: LoadResult[]) => `${medianOf(results, (one) => one.p99Ms).toFixed(1)} ms`
  const [early, late] = [memory[0]!, memory[Math.min(4, memory.length - 1)]!]
  const lateCount = perRun * Math.min(5, memory.length)
  return {
    title: 'Sign-ups',
    notes: [
      `${connections} keep-alive connections, ${perRun} sign-ups a run, new addresses all of them; the same request bytes to both, from a load generator in a process of its own; files on the project's disk.`,
      'Ours: server/main.ts as in production, the limits per visitor and per address off. Mail is owed but waits: nobody listens at SMTP_URL, and one mail now and then asks whether somebody does.',
      'Floor: bare node:http and node:sqlite, WAL, synchronous FULL; JSON.parse and a grouped insert into one table of one column, the same JSON back.',
    ],
    rows: [
      {
        what: `throughput, ${connections} connections`,
        ours: perSecond(ours),
        other: `floor ${perSecond(floor)}`,
        ratio: medianRatio(ours, floor, (one) => one.perSecond),
        goal: { least: 0.8 },
      },
      {
        what: 'slowest in a hundred (p99)',
        ours: p99(ours),
        other: `floor ${p99(floor)}`,
        ratio: medianRatio(ours, floor, (one) => one.p99Ms),
        goal: { most: 2 },
      },
      {
        what: `memory after ${lateCount.toLocaleString('en')} sign-ups`,
        ours: `${late.toFixed(0)} MB`,
        other: `after ${perRun.toLocaleString('en')}: ${early.toFixed(0)} MB`,
        ratio: late / early,
        goal: { most: 1.25 },
      },
    ],
  }
}
