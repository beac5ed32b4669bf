// A process of its own: sends requests over so many connections at once, and says how fast the answers came.
import { answerParent } from '../child.ts'
import { keepAsking } from './keep-alive-connection.ts'
import { type Load, type LoadResult, placeForNumber } from './load.ts'

answerParent(generate)

async function generate({ port, connections, request, first, count }: Load): Promise<LoadResult> {
  const requests = makeRequests(request, first, count)
  const latencies = new Float64Array(count)
  let asked = 0
  let answered = 0
  let refused = 0
  const next = () => (asked < count ? requests[asked++ % requests.length] : undefined)
  const note = (ms: number, status: number) => {
    latencies[answered++] = ms
    if (status !== 200) refused += 1
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, () => keepAsking(port, next, note)))
  const seconds = (performance.now() - start) / 1000
  latencies.sort()
  return { perSecond: count / seconds, p50Ms: at(latencies, 0.5), p99Ms: at(latencies, 0.99), refused }
}

/** All made before the clock starts. */
function makeRequests(request: string, first: number, count: number): Buffer[] {
  if (!request.includes(placeForNumber)) return [Buffer.from(request)]
  return Array.from({ length: count }, (_, index) =>
    Buffer.from(request.replace(placeForNumber, String(first + index).padStart(placeForNumber.length, '0'))),
  )
}

function at(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}
