import { join } from 'node:path'
import { median } from '#rigs/load.ts'
import type { Product } from '#rigs/product.ts'
import { type Bench, connections, newSignUps, runLoad, startBenchProduct } from '../../bench.ts'
import type { PartReport, Row } from '../../report.ts'
import { compare, medianOf, p99, perSecond, takeRounds } from '../../rounds.ts'
import { type Sink, startSink } from '../delivery/smtp-sink.ts'
import { startBareServer } from './bare-sign-up-server.ts'

/** Sign-ups while the relay accepts everything at once: the usual case. Mail and sign-ups share one thread. */
export async function benchSignUpsWithMail({ quick, folder, progress }: Bench): Promise<PartReport> {
  const [perRun, rounds] = quick ? [4_000, 2] : [20_000, 5]
  await using sink = await startSink()
  await using product = await startBenchProduct(join(folder, 'ours'), {
    SMTP_URL: sink.url,
    LIMIT_SITE_MAILS_PER_HOUR: 'off',
  })
  await using bare = await startBareServer(join(folder, 'floor.db'), 'address')
  const drainsPerSecond: number[] = []
  const runs = (at: number, count: number) => ({
    async ours() {
      const { drainPerSecond, ...result } = await burst(product, sink, at, count)
      drainsPerSecond.push(drainPerSecond)
      return result
    },
    floor: () => runLoad(bare.answer, newSignUps(product.url, count), at),
  })
  await takeRounds(4, runs(connections, perRun)) // the compilers need more bursts with mail between them
  const alone = await takeRounds(rounds, runs(1, perRun / 10), progress)
  const { ours, floor } = await takeRounds(rounds, runs(connections, perRun), progress)
  const drain = Math.round(median(drainsPerSecond.slice(-rounds))).toLocaleString('en')
  return {
    title: 'Sign-ups while mail flows',
    notes: [
      'As above, but the relay accepts every mail at once, and no ceiling holds mail back. Each run ends when all its mail has arrived, exactly one for each sign-up.',
      `After the burst ${drain} mails a second went out.`,
    ],
    rows: [
      compare(`throughput, ${connections} connections`, ours, ['floor', floor], perSecond, { min: 0.5 }),
      compare('slowest in a hundred (p99)', ours, ['floor', floor], p99, { max: 2.5 }),
      medianAnswer(alone.ours, alone.floor),
    ],
  }
}

/** Signs up, then waits until every mail has arrived. */
async function burst({ port, url }: Product, sink: Sink, at: number, count: number) {
  sink.reset()
  const result = await runLoad(port, newSignUps(url, count), at)
  const [burstEnd, late] = [performance.now(), count - sink.mails()]
  const { recipients } = await sink.arrival(count)
  if (recipients !== count) throw new Error(`${count} sign-ups, mail to ${recipients}`)
  return { ...result, drainPerSecond: late / ((performance.now() - burstEnd) / 1000) }
}

function medianAnswer(ours: { p50Ms: number }[], floor: { p50Ms: number }[]): Row {
  const [ms, floorMs] = [medianOf(ours, (one) => one.p50Ms), medianOf(floor, (one) => one.p50Ms)]
  return {
    what: 'median answer over one connection',
    ours: `${ms.toFixed(2)} ms`,
    other: `goal 0.90 ms; floor ${floorMs.toFixed(2)} ms`,
    ratio: ms / 0.9,
    goal: { max: 1 },
  }
}
