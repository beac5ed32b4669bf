import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, startBenchProduct } from '../bench.ts'
import type { PartReport, Row, Table } from '../report.ts'
import { compare, inMs, measured, medianOf, takeRounds } from '../rounds.ts'
import { serveLandingPages } from './landing-servers.ts'
import { openLighthouse, type Report } from './lighthouse/audit.ts'

const smallestAfterMs = 3_000
/** A task is long beyond this, and blocks for the rest of its time. */
const longTaskMs = 50

/**
 * Lighthouse for phones, in a real browser: the product, and its page beside the same HTML without script and font from
 * one plain server.
 */
export async function benchBrowser({ quick, folder, progress }: Bench): Promise<PartReport> {
  const audit = openLighthouse(folder, progress)
  if (!audit) return { title: 'Browser', notes: ['Skipped: Lighthouse cannot be installed here.'], rows: [] }
  await using product = await startBenchProduct(folder)
  using pages = await serveLandingPages()
  await sleep(smallestAfterMs) // the page is compressed as small as it gets once the server listens
  const runs = { product: audit(`${product.url}/`), ours: audit(pages.ours), noScript: audit(pages.noScript) }
  const reports = await takeRounds(quick ? 1 : 5, runs, progress)
  const [first] = reports.product
  return {
    title: 'Browser',
    notes: [
      `Lighthouse ${first?.lighthouseVersion} for phones, median of ${reports.product.length}; the real server over plain HTTP on localhost, an empty cache. Lighthouse simulates a line of 1.6 Mbit/s and 150 ms a round trip, and a processor that is 4 times slower.`,
      // The bench built these until then, see docs/decisions/0050.
      'Compared on 2026-11-22 with two client-rendered builds of the same components, which the bench no longer makes: plain React + Vite painted first after 1120 ms (ours: 0.33 of it), the usual site with router, query client, toasts, tooltips, form library and Supabase’s client after 1844 ms (0.21; goal ≤ 0.4).',
      'Measured the same day, by leaving each out: of 67,569 bytes of JavaScript React is 57,974, the sign-up 5,642, the texts 1,343, the components 1,131 and functions-js 1,033.',
      'Measured the same day in a page that no tool inspects, over a real line of that speed: first paint 340 ms (without script and font 312 ms), blocking time 0 ms.',
    ],
    rows: [
      ...scores(reports.product),
      ...(await weights(reports.product)),
      ...times(reports.product),
      ...paints(reports.ours, reports.noScript),
    ],
    tables: [requests(first)],
  }
}

const figureOf = (id: string) => (one: Report) => one.audits[id]?.numericValue ?? NaN
const requestsOf = (one?: Report) => one?.audits['network-requests']?.details?.items ?? []
const count = (bytes: number) => bytes.toLocaleString('en')
const inBytes = (bytes: number) => `${count(bytes)} bytes`

function scores(product: Report[]): Row[] {
  return Object.entries(product[0]?.categories ?? {}).map(([id, { title }]) => {
    const score = medianOf(product, (one) => (one.categories[id]?.score ?? 0) * 100)
    return measured(title.toLowerCase(), score, (one) => one.toFixed(0), { min: 100 })
  })
}

async function weights([first]: Report[]): Promise<Row[]> {
  const ofType = (type: string) => requestsOf(first).filter(({ resourceType }) => resourceType === type)
  const page = ofType('Document')[0]?.transferSize ?? NaN
  const scripts = await Promise.all(ofType('Script').map(({ url }) => bodyBytes(url)))
  const script = scripts.reduce((sum, bytes) => sum + bytes, 0)
  return [
    measured('landing page with style, chart and headers', page, inBytes, { max: 14_000 }),
    measured('JavaScript in all, brotli', script, inBytes, { max: 68_000 }),
  ]
}

async function bodyBytes(url: string): Promise<number> {
  const { headers } = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
  return Number(headers.get('content-length'))
}

function times(product: Report[]): Row[] {
  const blocking = medianOf(product, figureOf('total-blocking-time'))
  const blockingInAll = medianOf(product, ({ audits }) =>
    (audits['long-tasks']?.details?.items ?? []).reduce((sum, task) => sum + task.duration - longTaskMs, 0),
  )
  const shift = medianOf(product, figureOf('cumulative-layout-shift'))
  const atMost = (ms: number) => ({ max: ms, unit: ' ms' })
  return [
    measured('layout shift', shift, (one) => one.toFixed(4), { max: 0.001 }),
    measured('blocking time', blocking, inMs, atMost(20)),
    measured('blocking time, before the first paint as well', blockingInAll, inMs, atMost(100)),
  ]
}

function paints(ours: Report[], noScript: Report[]): Row[] {
  const compared = (what: string, id: string, max: number) =>
    compare(what, ours, ['without script and font', noScript], { figure: figureOf(id), show: inMs }, { max })
  return [
    compared('first paint', 'first-contentful-paint', 1.05),
    compared('largest paint', 'largest-contentful-paint', 1.1),
  ]
}

function requests(first?: Report): Table {
  return {
    title: 'Every request of a first visit:',
    head: ['Path', 'Type', 'Bytes with headers'],
    lines: requestsOf(first).map(({ url, resourceType, transferSize }) => [
      new URL(url).pathname,
      resourceType,
      count(transferSize),
    ]),
  }
}
