// A child process that sends requests over many connections at once and reports the latencies.
import { generateLoad, percentile } from '#rigs/load.ts'
import { answerParent } from './child.ts'
import { type Load, type LoadResult, placeForNumber } from './load.ts'

answerParent(generate)

async function generate({ port, connections, request, first, count }: Load): Promise<LoadResult> {
  const requests = makeRequests(request, first, count)
  const latencies: number[] = []
  let asked = 0
  let refused = 0
  const start = performance.now()
  await generateLoad({
    port,
    connections,
    next: () => (asked < count ? requests[asked++ % requests.length] : undefined),
    onAnswer(_request, { status }, ms) {
      latencies.push(ms)
      if (status !== 200) refused += 1
    },
    onNoAnswer: () => (refused += 1),
  }).finished
  const seconds = (performance.now() - start) / 1000
  const [p50Ms, p99Ms] = [percentile(latencies, 0.5), percentile(latencies, 0.99)]
  return { perSecond: count / seconds, p50Ms, p99Ms, refused }
}

/** All made before the clock starts. */
function makeRequests(request: string, first: number, count: number): { bytes: Buffer }[] {
  if (!request.includes(placeForNumber)) return [{ bytes: Buffer.from(request) }]
  return Array.from({ length: count }, (_, index) => {
    const number = String(first + index).padStart(placeForNumber.length, '0')
    return { bytes: Buffer.from(request.replace(placeForNumber, number)) }
  })
}
