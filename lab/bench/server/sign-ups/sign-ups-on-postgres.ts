import { join } from 'node:path'
import { startPostgresServer } from '#rigs/database/postgres-server.ts'
import type { Product } from '#rigs/product.ts'
import { type Bench, startBenchProduct } from '../../bench.ts'
import { type LoadGenerator, type LoadResult, signUpRequests, startLoadGenerator } from '../../load.ts'
import type { PartReport } from '../../report.ts'
import { compare, p99, perSecond, takeRounds } from '../../rounds.ts'

const instances = 3
const connections = 64

/** Sign-ups on one PostgreSQL: through one instance, and through three at once. */
export async function benchSignUpsOnPostgres({ quick, folder, progress }: Bench): Promise<PartReport> {
  const title = 'Sign-ups on PostgreSQL'
  await using postgres = await startPostgresServer({ fsync: true })
  if (!postgres) return { title, notes: ['Skipped: there is no PostgreSQL on this machine.'], rows: [] }
  const [perRun, rounds] = quick ? [1_500, 1] : [15_000, 5]
  const environment = { DATABASE_URL: await postgres.newDatabase() }
  await using started = new AsyncDisposableStack()
  const products: Product[] = []
  const loads = Array.from({ length: instances }, () => started.use(startLoadGenerator()))
  for (let number = 1; number <= instances; number += 1)
    products.push(started.use(await startBenchProduct(join(folder, String(number)), environment)))
  const run = makeRun(products, loads)
  const runs = { one: () => run(1, perRun), three: () => run(instances, perRun) }
  for (const warmUp of Object.values(runs)) await warmUp()
  return { title, ...report(await takeRounds(rounds, runs, progress)) }
}

/** Shares connections and sign-ups among that many instances. */
function makeRun(products: readonly Product[], loads: readonly LoadGenerator[]) {
  let first = 0
  return async (among: number, count: number): Promise<LoadResult> => {
    const start = performance.now()
    const results = await Promise.all(
      products.slice(0, among).map(({ port, url }, index) => {
        first += count
        const request = signUpRequests(url)
        const share = { connections: Math.round(connections / among), count: Math.round(count / among) }
        return loads[index]!.run({ port, request, first, ...share })
      }),
    )
    const seconds = (performance.now() - start) / 1000
    const slowest = (figure: (one: LoadResult) => number) => Math.max(...results.map(figure))
    return {
      perSecond: count / seconds,
      p50Ms: slowest((one) => one.p50Ms),
      p99Ms: slowest((one) => one.p99Ms),
      refused: 0,
    }
  }
}

function report({ one, three }: Record<'one' | 'three', LoadResult[]>): Pick<PartReport, 'notes' | 'rows'> {
  return {
    notes: [
      `A PostgreSQL of this machine, fsync on, over a socket; ${connections} connections in all, shared among the instances. Every instance has a load generator of its own. Everything shares this machine's cores.`,
    ],
    rows: [
      compare(`throughput, ${instances} instances`, three, ['one instance', one], perSecond),
      compare(`slowest in a hundred (p99), ${instances} instances`, three, ['one instance', one], p99),
    ],
  }
}
