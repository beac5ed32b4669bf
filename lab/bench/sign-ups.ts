import { join } from 'node:path'
import { median } from '#rigs/http/load.ts'
import { type SmtpInbox, startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import type { Product } from '#rigs/product.ts'
import { type Bench, connections, newSignUps, runLoad, startBenchProduct } from './rig/bench.ts'
import { floorSender, startFloor } from './floor.ts'
import { compare, inMs, measured, p99, perSecond, type Row, takeRounds } from './rig/rounds.ts'

const throughput = `throughput, ${connections} connections`
const slowest = 'slowest in a hundred (p99)'
/**
 * With four connections, MAIL_CONCURRENCY's default, the usual relay takes a hundred mails a
 * second.
 */
const afterMs = 40

/** Durable sign-ups per second while mail waits, beside the least work that a sign-up can take. */
export async function benchSignUps({ quick, folder, beside }: Bench): Promise<Row[]> {
  const { perRun, rounds } = quick ? { perRun: 2_000, rounds: 2 } : { perRun: 20_000, rounds: 9 }
  await using started = new AsyncDisposableStack()
  const ours = started.use(await startBenchProduct(join(folder, 'ours')))
  const floor = started.use(await startFloor({ file: join(folder, 'floor.db') }))
  const other = beside && started.use(await startBenchProduct(join(folder, 'beside'), {}, beside))
  const run =
    (port: number, url = ours.url) =>
    () =>
      runLoad(port, newSignUps(url, perRun))
  const runs: Record<string, ReturnType<typeof run>> = {
    ours: run(ours.port),
    floor: run(floor.port),
  }
  if (other) runs['beside'] = run(other.port, other.url)
  await takeRounds(1, runs) // warms up the compilers
  const { ours: our = [], floor: least = [], beside: others = [] } = await takeRounds(rounds, runs)
  return [
    compare(throughput, perSecond, our, ['floor', least]),
    compare(slowest, p99, our, ['floor', least], { max: 2.5 }),
    ...(other ? [compare(throughput, perSecond, our, ['beside', others], { min: 0.95 })] : []),
    ...(await benchOneConnection(ours, perRun / 10)),
  ]
}

async function benchOneConnection({ port, url }: Product, count: number): Promise<Row[]> {
  const { alone } = await takeRounds(5, { alone: () => runLoad(port, newSignUps(url, count), 1) })
  const p50 = median(alone.map(({ p50Ms }) => p50Ms))
  return [measured('median answer over one connection', p50, inMs, { max: 0.9 })]
}

/** Sign-ups while a relay takes mail. Mail and sign-ups share one thread, here and in the floor. */
export async function benchSignUpsWithMail({ quick, folder }: Bench): Promise<Row[]> {
  const { perRun, rounds } = quick ? { perRun: 2_000, rounds: 2 } : { perRun: 20_000, rounds: 5 }
  const relay = await startSmtpInbox()
  await using stopped = new AsyncDisposableStack() // those that send stop before the relay
  stopped.defer(() => relay.close())
  relay.behave({ does: 'accept', afterMs })
  const environment = { SMTP_URL: relay.url, LIMIT_SITE_MAILS_PER_HOUR: 'off' }
  await using product = await startBenchProduct(join(folder, 'ours'), environment)
  await using floor = await startFloor({ file: join(folder, 'floor.db'), relayUrl: relay.url })
  const run = (port: number) => () => runLoad(port, newSignUps(product.url, perRun))
  const runs = { ours: run(product.port), floor: run(floor.port) }
  await takeRounds(2, runs)
  const before = mailsOfOurs(relay)
  const startedAt = performance.now()
  const { ours, floor: least } = await takeRounds(rounds, runs)
  const mailsPerSecond = (1000 * (mailsOfOurs(relay) - before)) / (performance.now() - startedAt)
  const alone = await benchOneConnection(product, perRun / 10)
  return [
    compare(throughput, perSecond, ours, ['floor', least], { min: 0.5 }),
    compare(slowest, p99, ours, ['floor', least], { max: 2.5 }),
    ...alone,
    measured('mails meanwhile, a second', mailsPerSecond, (rate) => rate.toFixed(0)),
  ]
}

function mailsOfOurs({ mails }: SmtpInbox): number {
  return mails.filter(({ from }) => from !== floorSender).length
}
