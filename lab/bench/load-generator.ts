// A child process that sends requests over many connections at once and reports the latencies.
import { generateLoad } from '#rigs/load.ts'
import { answerParent } from './child.ts'
import { type Load, type LoadResult, placeForNumber } from './load.ts'

answerParent(generate)

async function generate({ port, connections, request, first, count }: Load): Promise<LoadResult> {
  const requests = makeRequests(request, first, count)
  const latencies = new Float64Array(count)
  let asked = 0
  let answered = 0
  let refused = 0
  const start = performance.now()
  await generateLoad({
    port,
    connections,
    next: () => (asked < count ? requests[asked++ % requests.length] : undefined),
    onAnswer(_request, { status }, ms) {
      latencies[answered++] = ms
      if (status !== 200) refused += 1
    },
    onNoAnswer: () => (refused += 1),
  }).finished
  const seconds = (performance.now() - start) / 1000
  latencies.sort()
  return { perSecond: count / seconds, p50Ms: at(latencies, 0.5), p99Ms: at(latencies, 0.99), refused }
}

/** All made before the clock starts. */
function makeRequests(request: string, first: number, count: number): { bytes: Buffer }[] {
  if (!request.includes(placeForNumber)) return [{ bytes: Buffer.from(request) }]
  return Array.from({ length: count }, (_, index) => {
    const number = String(first + index).padStart(placeForNumber.length, '0')
    return { bytes: Buffer.from(request.replace(placeForNumber, number)) }
  })
}

function at(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}
