import { median } from '#rigs/load.ts'
import type { Product } from '#rigs/product.ts'
import { newSignUps } from '../bench.ts'
import { inMs, type Row } from '../rounds.ts'
import { type Waits, waitsDuring } from '../waits.ts'

const signUpsPerSecond = 50

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

/** The waits of one round. */
interface Pair {
  before: Waits
  during: Waits
}

function rowsOf(what: string, pairs: readonly Pair[]): Row[] {
  const medianOf = (figure: (pair: Pair) => number) => median(pairs.map(figure))
  return [
    {
      what: `${what}: longest wait of a visitor, above that without it`,
      ours: inMs(medianOf(({ during }) => during.longest)),
      other: inMs(medianOf(({ before }) => before.longest)),
      judged: medianOf(({ before, during }) => during.longest - before.longest),
      goal: { max: 30 },
    },
    {
      what: `${what}: p99 of the visitors' waits, beside that without it`,
      ours: inMs(medianOf(({ during }) => during.p99)),
      other: inMs(medianOf(({ before }) => before.p99)),
      judged: medianOf(({ before, during }) => during.p99 / before.p99),
      goal: { max: 1.3 },
    },
  ]
}

/** Sign-ups during one phase. */
async function visitorsDuring(product: Product, { prepare, run }: Phase): Promise<Waits> {
  await prepare?.()
  return waitsDuring(run, product, {
    connections: 8,
    perSecond: signUpsPerSecond,
    next: () => newSignUps(product.url, 1)[0]!,
  })
}
