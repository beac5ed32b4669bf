import { join } from 'node:path'
import { type Bench, startBenchProduct } from '../../bench.ts'
import { type Child, startChild } from '../../child.ts'
import type { SinkAnswer } from '../delivery/smtp-sink.ts'
import { type LoadResult, signUpRequests, startLoadGenerator } from '../../load.ts'
import type { PartReport } from '../../report.ts'
import { compare, medianOf, p99, perSecond, takeRounds } from '../../rounds.ts'
import type { FloorQuestion } from './bare-sign-up-server.ts'

const connections = 64

interface Burst extends LoadResult {
  /** Mails that arrived during the burst, per second. */
  mailsPerSecond: number
  /** Mails that arrived after it, per second. */
  drainPerSecond: number
}

/** Sign-ups while the relay accepts everything at once: the usual case. Mail and sign-ups share one thread. */
export async function benchSignUpsWithMail({ quick, folder, progress }: Bench): Promise<PartReport> {
  const [perRun, rounds] = quick ? [4_000, 2] : [20_000, 5]
  await using load = startLoadGenerator()
  await using sink = startChild(join(import.meta.dirname, '../delivery/smtp-sink.ts'))
  await using floor = startChild(join(import.meta.dirname, 'bare-sign-up-server.ts'))
  const relay = await sink.ask<SinkAnswer>({})
  await using product = await startBenchProduct(join(folder, 'ours'), {
    SMTP_URL: `smtp://127.0.0.1:${relay.port}`,
    LIMIT_SITE_MAILS_PER_HOUR: 'off',
  })
  const question: FloorQuestion = { file: join(folder, 'floor.db'), stores: 'address' }
  const { port: floorPort } = await floor.ask<{ port: number }>(question)
  const request = signUpRequests(product.url)
  let next = 0
  const run = (port: number, at: number, count: number) => {
    const first = next
    next += count
    return load.run({ port, connections: at, request, first, count })
  }
  const burst = (at: number, count: number) => measureBurst(sink, count, () => run(product.port, at, count))
  const few = perRun / 10
  const runs = {
    ours: () => burst(connections, perRun),
    floor: () => run(floorPort, connections, perRun),
    oursAlone: () => burst(1, few),
    floorAlone: () => run(floorPort, 1, few),
  }
  for (const warmUp of Object.values(runs)) await warmUp()
  return report(await takeRounds<keyof typeof runs, LoadResult | Burst>(rounds, runs, progress))
}

/** Signs up, then waits until every mail has arrived. */
async function measureBurst(sink: Child, count: number, run: () => Promise<LoadResult>): Promise<Burst> {
  await sink.ask<SinkAnswer>({ reset: true })
  const start = performance.now()
  const result = await run()
  const burstEnd = performance.now()
  const { mails } = await sink.ask<SinkAnswer>({ until: 0 })
  const { recipients } = await sink.ask<SinkAnswer>({ until: count })
  if (recipients !== count) throw new Error(`${count} sign-ups, mail to ${recipients}`)
  return {
    ...result,
    mailsPerSecond: mails / ((burstEnd - start) / 1000),
    drainPerSecond: (count - mails) / ((performance.now() - burstEnd) / 1000),
  }
}

type Runs = 'ours' | 'floor' | 'oursAlone' | 'floorAlone'

function report({ ours, floor, oursAlone, floorAlone }: Record<Runs, (LoadResult | Burst)[]>): PartReport {
  const median = (one: LoadResult) => one.p50Ms
  const inMs = (ms: number) => `${ms.toFixed(2)} ms`
  const alone = medianOf(oursAlone, median)
  const mails = (figure: 'mailsPerSecond' | 'drainPerSecond') =>
    Math.round(medianOf(ours, (one) => (figure in one ? (one as Burst)[figure] : 0)))
  return {
    title: 'Sign-ups while mail flows',
    notes: [
      'As above, but the relay accepts every mail at once, and no ceiling holds mail back. Each run ends when all its mail has arrived, exactly one for each sign-up.',
      `During the burst ${mails('mailsPerSecond').toLocaleString('en')} mails a second went out, after it ${mails('drainPerSecond').toLocaleString('en')}.`,
    ],
    rows: [
      compare(`throughput, ${connections} connections`, ours, ['floor', floor], perSecond, { least: 0.5 }),
      compare('slowest in a hundred (p99)', ours, ['floor', floor], p99, { most: 2.5 }),
      {
        what: 'median answer over one connection',
        ours: inMs(alone),
        other: `goal 0.90 ms; floor ${inMs(medianOf(floorAlone, median))}`,
        ratio: alone / 0.9,
        goal: { most: 1 },
      },
    ],
  }
}
