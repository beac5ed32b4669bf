import { join } from 'node:path'
import type { Product } from '#rigs/product.ts'
import { type Bench, newSignUps, runLoad, startBenchProduct } from '../../bench.ts'
import type { PartReport, Row } from '../../report.ts'
import { compare, medianOf, p99, perSecond, takeRounds } from '../../rounds.ts'
import { type Sink, startSink } from '../delivery/smtp-sink.ts'
import { startBareServer } from './bare-sign-up-server.ts'

const connections = 64

/** Sign-ups while the relay accepts everything at once: the usual case. Mail and sign-ups share one thread. */
export async function benchSignUpsWithMail({ quick, folder, progress }: Bench): Promise<PartReport> {
  const [perRun, rounds] = quick ? [4_000, 2] : [20_000, 5]
  await using sink = await startSink()
  await using product = await startBenchProduct(join(folder, 'ours'), {
    SMTP_URL: sink.url,
    LIMIT_SITE_MAILS_PER_HOUR: 'off',
  })
  await using bare = await startBareServer(join(folder, 'floor.db'), 'address')
  const runs = (at: number, count: number) => ({
    ours: () => burst(product, sink, at, count),
    floor: async () => ({
      ...(await runLoad(bare.answer, at, newSignUps(product.url, count))),
      mailsPerSecond: 0,
      drainPerSecond: 0,
    }),
  })
  await takeRounds(1, runs(connections, perRun))
  const alone = await takeRounds(rounds, runs(1, perRun / 10), progress)
  const { ours, floor } = await takeRounds(rounds, runs(connections, perRun), progress)
  const inWords = (rate: number) => Math.round(rate).toLocaleString('en')
  const during = inWords(medianOf(ours, (one) => one.mailsPerSecond))
  const after = inWords(medianOf(ours, (one) => one.drainPerSecond))
  return {
    title: 'Sign-ups while mail flows',
    notes: [
      'As above, but the relay accepts every mail at once, and no ceiling holds mail back. Each run ends when all its mail has arrived, exactly one for each sign-up.',
      `During the burst ${during} mails a second went out, after it ${after}.`,
    ],
    rows: [
      compare(`throughput, ${connections} connections`, ours, ['floor', floor], perSecond, { least: 0.5 }),
      compare('slowest in a hundred (p99)', ours, ['floor', floor], p99, { most: 2.5 }),
      medianAnswer(alone.ours, alone.floor),
    ],
  }
}

/** Signs up, then waits until every mail has arrived. */
async function burst({ port, url }: Product, sink: Sink, at: number, count: number) {
  sink.reset()
  const result = await runLoad(port, at, newSignUps(url, count))
  const [burstEnd, mails] = [performance.now(), sink.mails()]
  const { recipients } = await sink.arrival(count)
  if (recipients !== count) throw new Error(`${count} sign-ups, mail to ${recipients}`)
  return {
    ...result,
    mailsPerSecond: (mails / count) * result.perSecond,
    drainPerSecond: (count - mails) / ((performance.now() - burstEnd) / 1000),
  }
}

function medianAnswer(ours: { p50Ms: number }[], floor: { p50Ms: number }[]): Row {
  const [ms, floorMs] = [medianOf(ours, (one) => one.p50Ms), medianOf(floor, (one) => one.p50Ms)]
  return {
    what: 'median answer over one connection',
    ours: `${ms.toFixed(2)} ms`,
    other: `goal 0.90 ms; floor ${floorMs.toFixed(2)} ms`,
    ratio: ms / 0.9,
    goal: { most: 1 },
  }
}
