import { generateLoad, percentile } from '#rigs/load.ts'
import type { Product } from '#rigs/product.ts'
import { newSignUps } from '../bench.ts'
import { inMs, type Row } from '../rounds.ts'

const signUpsPerSecond = 50

/** How long visitors waited, in ms. */
interface Waits {
  longest: number
  p99: number
}

interface Phase {
  /** Nobody is measured meanwhile. */
  prepare?: () => Promise<unknown>
  run: () => Promise<unknown>
}

export interface Work extends Phase {
  what: string
}

interface Comparison {
  rounds: number
  /** Without any of the works, about as long as one. */
  quiet: Phase
  works: readonly Work[]
}

/**
 * Compares what visitors wait during each work with what they wait without any: in turn, because
 * other programs of the machine slow all of them down.
 */
export async function compareWaits(
  product: Product,
  { rounds, quiet, works }: Comparison,
): Promise<Row[]> {
  const taken: { before: Waits; during: Waits[] }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const before = await visitorsDuring(product, quiet)
    const during: Waits[] = []
    for (const work of works) during.push(await visitorsDuring(product, work))
    taken.push({ before, during })
  }
  return works.flatMap(({ what }, index) =>
    rowsOf(
      what,
      taken.map(({ before, during }) => ({ before, during: during[index]! })),
    ),
  )
}

function rowsOf(what: string, pairs: readonly { before: Waits; during: Waits }[]): Row[] {
  const median = (of: (pair: (typeof pairs)[number]) => number) => percentile(pairs.map(of), 0.5)
  return [
    {
      what: `${what}: longest wait of a visitor, above that without it`,
      ours: inMs(median(({ during }) => during.longest)),
      other: inMs(median(({ before }) => before.longest)),
      judged: median(({ before, during }) => during.longest - before.longest),
      goal: { max: 30 },
    },
    {
      what: `${what}: p99 of the visitors' waits, beside that without it`,
      ours: inMs(median(({ during }) => during.p99)),
      other: inMs(median(({ before }) => before.p99)),
      judged: median(({ before, during }) => during.p99 / before.p99),
      goal: { max: 1.3 },
    },
  ]
}

/** Sign-ups at a steady rate during one phase. A wait counts from the moment the request is due. */
async function visitorsDuring(product: Product, { prepare, run }: Phase): Promise<Waits> {
  await prepare?.()
  const load = generateLoad({
    port: product.port,
    connections: 8,
    perSecond: signUpsPerSecond,
    next: () => ({ bytes: newSignUps(product.url, 1)[0]! }),
  })
  await run()
  await load.stop()
  return { longest: Math.max(...load.latenciesMs), p99: load.p99() }
}
