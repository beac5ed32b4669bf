import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '#rigs/browser.ts'
import { type Bench, startBenchProduct } from '../bench.ts'
import type { PartReport, Row, Table } from '../report.ts'
import { compare, inMs, measured, medianOf, takeRounds } from '../rounds.ts'
import { serveLandingPages } from './landing-servers.ts'
import { type Resource, slowLine, visit, type Visit } from './throttled-visit.ts'

const smallestAfterMs = 3_000

/** Bytes on the wire, and paint times on a slow line against the same page without script and font. */
export async function benchBrowser({ quick, folder, progress }: Bench): Promise<PartReport> {
  const rounds = quick ? 1 : 8
  await using browser = await launchBrowser()
  const plain = await visitProduct(browser, folder)
  progress('bytes weighed')
  using pages = await serveLandingPages()
  const runs = {
    ours: () => visit(browser, pages.ours, true),
    noScript: () => visit(browser, pages.noScript, true),
  }
  const { ours, noScript } = await takeRounds(rounds, runs, progress)
  const { latencyMs, megabits, cpuSlowdown } = slowLine
  return {
    title: 'Browser',
    notes: [
      'Bytes: the real server, headers included, an empty cache.',
      `Times: both pages from one plain server, ${megabits} Mbit/s, ${latencyMs} ms a round trip, a ${cpuSlowdown} times slower processor, 390 × 844; median of ${rounds}, the pages in turn; ${browser.browserType().name()} ${browser.version()}.`,
      // The bench built these until then, see docs/decisions/0050.
      'Compared on 2026-11-22 with two client-rendered builds of the same components, which the bench no longer makes: plain React + Vite painted first after 1120 ms (ours: 0.33 of it), the usual site with router, query client, toasts, tooltips, form library and Supabase’s client after 1844 ms (0.21; goal ≤ 0.4).',
      'Measured the same day, by leaving each out: of 67,569 bytes of JavaScript React is 57,974, the sign-up 5,642, the texts 1,343, the components 1,131 and functions-js 1,033.',
    ],
    rows: [...weights(plain), ...times(ours, noScript), ...afterFirstPaint(ours)],
    tables: [resourceTable(plain)],
  }
}

async function visitProduct(browser: Browser, folder: string): Promise<Visit> {
  await using product = await startBenchProduct(folder)
  await sleep(smallestAfterMs) // the page is compressed as small as it gets once the server listens
  return await visit(browser, `${product.url}/`, false)
}

const inBytes = (bytes: number) => `${bytes.toLocaleString('en')} bytes`

function weights({ resources }: Visit): Row[] {
  const sum = (type: string, figure: (one: Resource) => number) =>
    resources.filter((one) => one.type === type).reduce((total, one) => total + figure(one), 0)
  const page = sum('Document', (one) => one.bytes)
  const script = sum('Script', (one) => one.bodyBytes)
  return [
    measured('landing page with style, chart and headers', page, inBytes, { most: 14_000 }),
    measured('JavaScript in all, brotli', script, inBytes, { most: 68_000 }),
  ]
}

function times(ours: Visit[], noScript: Visit[]): Row[] {
  const withoutScript: [string, Visit[]] = ['without script and font', noScript]
  const firstPaint = { figure: (one: Visit) => one.firstPaintMs, show: inMs }
  const largestPaint = { figure: (one: Visit) => one.largestPaintMs, show: inMs }
  const before = medianOf(ours, (one) => one.beforeFirstPaint)
  return [
    measured('requests answered before the first paint', before, String),
    compare('first paint', ours, withoutScript, firstPaint, { most: 1.05 }),
    compare('largest paint', ours, withoutScript, largestPaint, { most: 1.1 }),
  ]
}

function afterFirstPaint(ours: Visit[]): Row[] {
  const shift = medianOf(ours, (one) => one.shift)
  const blocking = medianOf(ours, (one) => one.blockingMs)
  const blockingInAll = medianOf(ours, (one) => one.blockingInAllMs)
  const most = (ms: number) => ({ most: ms, unit: ' ms' })
  return [
    measured('layout shift', shift, (one) => one.toFixed(4), { most: 0.001 }),
    measured('blocking time', blocking, inMs, most(20)),
    measured('blocking time, before the first paint as well', blockingInAll, inMs, most(100)),
  ]
}

function resourceTable({ resources }: Visit): Table {
  return {
    title: 'Every request of a first visit:',
    head: ['Path', 'Type', 'Bytes', 'With headers'],
    lines: resources.map(({ path, type, bytes, bodyBytes }) => [
      path,
      type,
      bodyBytes.toLocaleString('en'),
      bytes.toLocaleString('en'),
    ]),
  }
}
