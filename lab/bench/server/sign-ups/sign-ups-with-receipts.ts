import { join } from 'node:path'
import { receiptsPath } from '#contract/sign-up.ts'
import { generateLoad, percentile } from '#rigs/load.ts'
import type { Product } from '#rigs/product.ts'
import { type Bench, connections, newSignUps, runLoad, startBenchProduct, startChild } from '../../bench.ts'
import type { PartReport } from '../../report.ts'
import { compare, perSecond, takeRounds } from '../../rounds.ts'

/** A page asks six times within its first 30 s. */
const asksPerPageAndSecond = 6 / 30

// A generator of its own, a program: if one thread sent both loads, the questions would slow its sign-ups down.
if (import.meta.main) {
  const { port, url, count }: Record<'port' | 'count', number> & { url: string } = JSON.parse(
    process.argv[2]!,
  )
  await runLoad(port, newSignUps(url, count)) // warms up its compilers
  const { perSecond: rate } = await runLoad(port, newSignUps(url, count))
  process.send?.(rate)
}

/** Sign-ups while the pages of others ask what became of their mail. */
export async function benchSignUpsWithReceipts({ quick, folder, progress }: Bench): Promise<PartReport> {
  const [perRun, rounds, pages] = quick ? [2_000, 2, 1_000] : [20_000, 9, 10_000]
  await using product = await startBenchProduct(join(folder, 'ours'))
  const receipts = await signUpForReceipts(product, pages)
  const answersMs: number[] = []
  const { port, url } = product
  const signUps = async () => {
    await using load = await startChild(import.meta.filename, { port, url, count: perRun })
    return { perSecond: load.answer }
  }
  const runs = {
    alone: signUps,
    async beside() {
      const pagesAsking = askFor(receipts, product)
      const result = await signUps().finally(pagesAsking.stop)
      if (pagesAsking.failed() > 0)
        throw new Error(`${pagesAsking.failed()} receipts were not answered with 200`)
      answersMs.push(...pagesAsking.latenciesMs)
      return result
    },
  }
  await takeRounds(1, runs)
  const { beside, alone } = await takeRounds(rounds, runs, progress)
  const asksPerSecond = (pages * asksPerPageAndSecond).toLocaleString('en')
  return {
    title: 'Sign-ups while pages ask for their receipts',
    notes: [
      `As above, while ${pages.toLocaleString('en')} pages ask: ${asksPerSecond} questions a second from a second generator, each about a mail that waits. Their median answer took ${percentile(answersMs, 0.5).toFixed(1)} ms, p99 ${percentile(answersMs, 0.99).toFixed(1)} ms.`,
    ],
    rows: [
      compare(`throughput, ${connections} connections`, beside, ['alone', alone], perSecond, { min: 0.9 }),
    ],
  }
}

async function signUpForReceipts({ port, url }: Product, count: number): Promise<string[]> {
  const receipts: string[] = []
  const requests = newSignUps(url, count)
  await generateLoad({
    port,
    connections,
    next: () => (requests.length > 0 ? { bytes: requests.pop()! } : undefined),
    onAnswer: (_request, answer) => void receipts.push(JSON.parse(answer?.body ?? '').receipt),
  }).finished
  return receipts
}

function askFor(receipts: readonly string[], { port, url }: Product) {
  const { host } = new URL(url)
  const requests = receipts.map((receipt) => ({
    bytes: Buffer.from(`GET ${receiptsPath}${receipt} HTTP/1.1\r\nhost: ${host}\r\naccept: */*\r\n\r\n`),
  }))
  let asked = 0
  return generateLoad({
    port,
    connections,
    perSecond: receipts.length * asksPerPageAndSecond,
    next: () => requests[asked++ % requests.length],
  })
}
