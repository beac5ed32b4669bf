import { join } from 'node:path'
import { startPostgresServer } from '#rigs/database/postgres-server.ts'
import type { Product } from '#rigs/product.ts'
import { type Bench, connections, newSignUps, runLoad, startBenchProduct } from '../../bench.ts'
import type { PartReport } from '../../report.ts'
import { compare, p99, perSecond, takeRounds } from '../../rounds.ts'

const instances = 3

/** Sign-ups on one PostgreSQL: through one instance, and through three at once. */
export async function benchSignUpsOnPostgres({ quick, folder, progress }: Bench): Promise<PartReport> {
  const title = 'Sign-ups on PostgreSQL'
  await using postgres = await startPostgresServer({ fsync: true })
  if (!postgres) return { title, notes: ['Skipped: there is no PostgreSQL on this machine.'], rows: [] }
  const [perRun, rounds] = quick ? [1_500, 1] : [15_000, 5]
  const environment = { DATABASE_URL: await postgres.newDatabase() }
  await using started = new AsyncDisposableStack()
  const products: Product[] = []
  for (let number = 1; number <= instances; number += 1)
    products.push(started.use(await startBenchProduct(join(folder, String(number)), environment)))
  const runs = {
    one: () => signUpThrough(products.slice(0, 1), perRun),
    three: () => signUpThrough(products, perRun),
  }
  await takeRounds(1, runs)
  const { one, three } = await takeRounds(rounds, runs, progress)
  return {
    title,
    notes: [
      `A PostgreSQL of this machine, fsync on, over a socket; ${connections} connections in all, shared among the instances. Everything shares this machine's cores.`,
    ],
    rows: [
      compare(`throughput, ${instances} instances`, three, ['one instance', one], perSecond),
      compare(`slowest in a hundred (p99), ${instances} instances`, three, ['one instance', one], p99),
    ],
  }
}

/** Shares connections and sign-ups among the instances. */
async function signUpThrough(products: readonly Product[], count: number) {
  const share = Math.round(count / products.length)
  const requests = products.map(({ url }) => newSignUps(url, share))
  const start = performance.now()
  const results = await Promise.all(
    products.map(({ port }, index) =>
      runLoad(port, requests[index]!, Math.round(connections / products.length)),
    ),
  )
  const seconds = (performance.now() - start) / 1000
  return { perSecond: count / seconds, p99Ms: Math.max(...results.map((one) => one.p99Ms)) }
}
