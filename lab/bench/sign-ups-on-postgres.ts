import { join } from 'node:path'
import { startPostgresServer } from '#rigs/database/postgres-server.ts'
import type { Product } from '#rigs/product.ts'
import { type Bench, connections, newSignUps, runLoad, startBenchProduct } from './bench.ts'
import { compare, inMs, measured, p99, perSecond, type Row, takeRounds } from './rounds.ts'
import { median } from '#rigs/load.ts'

const instances = 3

/** Sign-ups on one PostgreSQL, over a socket and with fsync: through one instance, and through three at once. */
export async function benchSignUpsOnPostgres({ quick, folder, beside }: Bench): Promise<Row[]> {
  await using postgres = await startPostgresServer({ fsync: true })
  if (!postgres) throw new Error('There is no PostgreSQL on this machine')
  const [perRun, rounds] = quick ? [1_500, 1] : [9_000, 5]
  await using started = new AsyncDisposableStack()
  const startAll = async (name: string, checkout?: string) => {
    const environment = { DATABASE_URL: await postgres.newDatabase() }
    const products: Product[] = []
    for (let number = 1; number <= instances; number += 1) {
      const own = join(folder, `${name}-${number}`)
      products.push(started.use(await startBenchProduct(own, environment, checkout)))
    }
    return products
  }
  const ours = await startAll('ours')
  const runs: Record<string, () => ReturnType<typeof signUpThrough>> = {
    one: () => signUpThrough(ours.slice(0, 1), perRun),
    three: () => signUpThrough(ours, perRun),
  }
  if (beside !== undefined) {
    const others = await startAll('beside', beside)
    runs['beside'] = () => signUpThrough(others, perRun)
  }
  await takeRounds(1, runs)
  const { one = [], three = [], beside: others = [] } = await takeRounds(rounds, runs)
  const throughput = `throughput, ${instances} instances`
  const slowest = median(three.map(p99.of))
  return [
    compare(throughput, perSecond, three, ['one instance', one]),
    ...(beside === undefined
      ? []
      : [compare(throughput, perSecond, three, ['beside', others], { min: 0.25 })]),
    measured(`slowest in a hundred (p99), ${instances} instances`, slowest, inMs),
  ]
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
