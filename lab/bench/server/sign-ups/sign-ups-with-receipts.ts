import { join } from 'node:path'
import { receiptsPath } from '#contract/sign-up.ts'
import { generateLoad, percentile, signUpRequest } from '#rigs/load.ts'
import type { Product } from '#rigs/product.ts'
import { anonKey, type Bench, startBenchProduct } from '../../bench.ts'
import { signUpRequests, startLoadGenerator } from '../../load.ts'
import type { PartReport } from '../../report.ts'
import { compare, perSecond, takeRounds } from '../../rounds.ts'

const connections = 64
/** A page asks six times within its first 30 s. */
const asksPerPageAndSecond = 6 / 30

/** Sign-ups while the pages of others ask what became of their mail. */
export async function benchSignUpsWithReceipts({ quick, folder, progress }: Bench): Promise<PartReport> {
  const [perRun, rounds, pages] = quick ? [2_000, 2, 1_000] : [20_000, 9, 10_000]
  await using load = startLoadGenerator()
  await using product = await startBenchProduct(join(folder, 'ours'))
  const receipts = await signUpForReceipts(product, pages)
  const request = signUpRequests(product.url)
  const answerMs: number[] = []
  let next = 0
  const signUps = () => {
    const first = next
    next += perRun
    return load.run({ port: product.port, connections, request, first, count: perRun })
  }
  const beside = async () => {
    const pagesAsking = askFor(receipts, product, answerMs)
    const result = await signUps()
    await pagesAsking.stop()
    return result
  }
  const runs = { alone: signUps, beside }
  for (const warmUp of Object.values(runs)) await warmUp()
  const results = await takeRounds(rounds, runs, progress)
  const asksPerSecond = (pages * asksPerPageAndSecond).toLocaleString('en')
  return {
    title: 'Sign-ups while pages ask for their receipts',
    notes: [
      `As above, while ${pages.toLocaleString('en')} pages ask: ${asksPerSecond} questions a second from a second generator, each about a mail that waits. Their median answer took ${percentile(answerMs, 0.5).toFixed(1)} ms, p99 ${percentile(answerMs, 0.99).toFixed(1)} ms.`,
    ],
    rows: [
      compare(`throughput, ${connections} connections`, results.beside, ['alone', results.alone], perSecond, {
        least: 0.9,
      }),
    ],
  }
}

async function signUpForReceipts({ port, url }: Product, count: number): Promise<string[]> {
  const receipts: string[] = []
  let next = 0
  await generateLoad({
    port,
    connections,
    next: () =>
      next < count
        ? { bytes: Buffer.from(signUpRequest(url, `page.${next++}@example.com`, anonKey)) }
        : undefined,
    onAnswer: (_request, { body }) => void receipts.push(JSON.parse(body).receipt),
    onNoAnswer() {},
  }).finished
  return receipts
}

function askFor(receipts: readonly string[], { port, url }: Product, answerMs: number[]) {
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
    onAnswer(_request, { status }, ms) {
      if (status !== 200) throw new Error(`A receipt was answered with ${status}`)
      answerMs.push(ms)
    },
    onNoAnswer() {},
  })
}
