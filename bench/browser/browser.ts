import type { Browser } from 'playwright-core'
import { setTimeout as sleep } from 'node:timers/promises'
import { launchBrowser } from '#testing/browser.ts'
import type { Bench } from '../main.ts'
import { root, startProduct } from '../product.ts'
import type { PartReport, Row, Table } from '../report.ts'
import { median, medianOf, medianRatio, takeRounds } from '../rounds.ts'
import { weighMarginalBytes } from './marginal-bytes.ts'
import { serveFiles } from './serve-files.ts'
import { makeThreeBuilds } from './three-builds.ts'
import { type Resource, slowLine, visit, type Visit } from './throttled-visit.ts'

const smallestAfterMs = 3_000
const names = {
  ours: 'ours',
  noScript: 'the same HTML without any script',
  clientRendered: 'client-rendered React + Vite',
}
type Visits = Record<keyof typeof names, Visit[]>

/** What goes over the wire, and when the page is there, against the same page without script and the usual kind of build. */
export async function benchBrowser({ quick, folder, progress }: Bench): Promise<PartReport> {
  const rounds = quick ? 1 : 5
  const builds = await makeThreeBuilds()
  const browser = await launchBrowser()
  const servers = {
    ours: await serveFiles(builds.ours),
    noScript: await serveFiles(builds.noScript),
    clientRendered: await serveFiles(builds.clientRendered),
  }
  try {
    const plain = await visitProduct(browser, folder)
    progress('bytes weighed')
    const slowly = (url: string) => () => visit(browser, url, true)
    const visits = await takeRounds(
      rounds,
      {
        ours: slowly(servers.ours.url),
        noScript: slowly(servers.noScript.url),
        clientRendered: slowly(servers.clientRendered.url),
      },
      progress,
    )
    const { latencyMs, megabits, cpuSlowdown } = slowLine
    return {
      title: 'Browser',
      notes: [
        'Bytes: the real server, headers included, an empty cache. Times of the client-rendered build hold its work before the first paint, so it has no blocking time after it.',
        `Times: three builds from one plain server, ${megabits} Mbit/s, ${latencyMs} ms a round trip, a ${cpuSlowdown} times slower processor, 390 × 844; median of ${rounds}, the builds in turn; ${browser.browserType().name()} ${browser.version()}.`,
        'Client-rendered: made by the bench from the same components with createRoot, an empty page, a style sheet and a script as files. It has no router and no component kit, so it is lighter than what usually ships.',
      ],
      rows: [...weights(plain), ...times(visits)],
      tables: [resourceTable(plain), timesTable(visits), await marginalTable()],
    }
  } finally {
    for (const server of Object.values(servers)) server.stop()
    await browser.close()
  }
}

async function visitProduct(browser: Browser, folder: string): Promise<Visit> {
  const product = await startProduct(folder)
  try {
    await sleep(smallestAfterMs)
    return await visit(browser, `${product.url}/`, false)
  } finally {
    await product.stop()
  }
}

function weights({ resources, beforeFirstPaint }: Visit): Row[] {
  const sum = (type: string, figure: (one: Resource) => number) =>
    resources.filter((one) => one.type === type).reduce((total, one) => total + figure(one), 0)
  const inBytes = (what: string, bytes: number, most: number): Row => ({
    what,
    ours: `${bytes.toLocaleString('en')} bytes`,
    figure: bytes,
    goal: { most },
  })
  return [
    inBytes(
      'landing page with style, chart and headers',
      sum('Document', (one) => one.bytes),
      14_000,
    ),
    inBytes(
      'JavaScript in all, brotli',
      sum('Script', (one) => one.bodyBytes),
      68_000,
    ),
    { what: 'requests answered before the first paint', ours: String(beforeFirstPaint) },
  ]
}

function times({ ours, noScript, clientRendered }: Visits): Row[] {
  const ms = (visits: Visit[], figure: (one: Visit) => number) => `${medianOf(visits, figure).toFixed(0)} ms`
  const against = (
    what: string,
    others: Visit[],
    name: string,
    figure: (one: Visit) => number,
    most: number,
  ) => ({
    what,
    ours: ms(ours, figure),
    other: `${name} ${ms(others, figure)}`,
    ratio: medianRatio(ours, others, figure),
    goal: { most },
  })
  const firstPaint = (one: Visit) => one.firstPaintMs
  const shift = medianOf(ours, (one) => one.shift)
  const blocking = medianOf(ours, (one) => one.blockingMs)
  return [
    against('first paint', noScript, 'without script', firstPaint, 1.05),
    against('first paint', clientRendered, 'client-rendered', firstPaint, 0.4),
    { what: 'layout shift', ours: shift.toFixed(4), figure: shift, goal: { most: 0.001 } },
    {
      what: 'blocking time',
      ours: `${blocking.toFixed(0)} ms`,
      figure: blocking,
      goal: { most: 20, unit: ' ms' },
    },
  ]
}

function timesTable(visits: Visits): Table {
  const keys = Object.keys(names) as (keyof typeof names)[] // the record has exactly these keys
  return {
    title: 'The three builds on a slow line:',
    head: ['Build', 'First paint', 'Largest paint', 'Layout shift', 'Blocking', 'Requests', 'Bytes'],
    lines: keys.map((key) => {
      const of = (figure: (one: Visit) => number) => medianOf(visits[key], figure)
      const bytes = median(
        visits[key].map((one) => one.resources.reduce((sum, { bytes: some }) => sum + some, 0)),
      )
      return [
        names[key],
        `${of((one) => one.firstPaintMs).toFixed(0)} ms`,
        `${of((one) => one.largestPaintMs).toFixed(0)} ms`,
        of((one) => one.shift).toFixed(4),
        `${of((one) => one.blockingMs).toFixed(0)} ms`,
        String(of((one) => one.resources.length)),
        bytes.toLocaleString('en'),
      ]
    }),
  }
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

async function marginalTable(): Promise<Table> {
  const { total, groups } = await weighMarginalBytes(root)
  const lines = groups.map(({ name, bytes }) => [name, bytes.toLocaleString('en')])
  return {
    title:
      'What the browser’s script would be smaller by without each (brotli; shared words count for none):',
    head: ['Without', 'Bytes less'],
    lines: [...lines, ['(all there is)', total.toLocaleString('en')]],
  }
}
