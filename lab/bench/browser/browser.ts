import { root } from '#rigs/product.ts'
import type { Browser } from 'playwright-core'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, startBenchProduct } from '../bench.ts'
import { launchBrowser } from '../../rigs/browser.ts'
import type { PartReport, Row, Table } from '../report.ts'
import { median, medianOf, medianRatio, takeRounds } from '../rounds.ts'
import { usualPackages } from './usual-build/entry.ts'
import { type Builds, makeBuilds } from './builds.ts'
import { weighMarginalBytes } from './marginal-bytes.ts'
import { serveFiles } from './serve-files.ts'
import { type Resource, slowLine, visit, type Visit } from './throttled-visit.ts'

const smallestAfterMs = 3_000
const names = {
  ours: 'ours',
  noScript: 'the same HTML without script and font',
  clientRendered: 'client-rendered React + Vite',
  usual: 'the usual client-rendered build',
}
/** Empty for a build that cannot be made here. */
type Visits = Record<keyof Builds, Visit[]>

/** Bytes on the wire and paint times, against the same page without script and font and against the usual kind of build. */
export async function benchBrowser({ quick, folder, progress }: Bench): Promise<PartReport> {
  const rounds = quick ? 1 : 8
  const builds = await makeBuilds(progress)
  const browser = await launchBrowser()
  try {
    const plain = await visitProduct(browser, folder)
    progress('bytes weighed')
    const visits = await visitSlowly(browser, builds, rounds, progress)
    const { latencyMs, megabits, cpuSlowdown } = slowLine
    return {
      title: 'Browser',
      notes: [
        'Bytes: the real server, headers included, an empty cache. Times of the client-rendered build hold its work before the first paint, so it has no blocking time after it.',
        `Times: the builds from one plain server, ${megabits} Mbit/s, ${latencyMs} ms a round trip, a ${cpuSlowdown} times slower processor, 390 × 844; median of ${rounds}, the builds in turn; ${browser.browserType().name()} ${browser.version()}.`,
        'Client-rendered: made by the bench from the same components with createRoot, an empty page, a style sheet with the web font and a script as files. It has no router and no component kit.',
        ...usualNotes(builds),
      ],
      rows: [...weights(plain), ...times(visits)],
      tables: [resourceTable(plain), timesTable(visits), await marginalTable()],
    }
  } finally {
    await browser.close()
  }
}

function usualNotes({ usual }: Builds): string[] {
  if ('why' in usual) return [`Usual: skipped, ${usual.why}`]
  return [
    'Usual: the client-rendered build (same Vite, minified, one script, one style sheet with the same web font, brotli) inside what such sites usually carry, all of it in use: BrowserRouter with two routes, a QueryClientProvider, Radix’s tooltip and toast providers with the toast viewport, sonner’s Toaster, and below the page a form of two fields with useForm, zodResolver, useMutation, the whole client of Supabase and three icons. The components’ own form, toaster and tooltip stay in it.',
    `Its packages: ${usualPackages.join(', ')}; React as ours.`,
  ]
}

/** Serves each build from its own server; the servers are identical. */
async function visitSlowly(
  browser: Browser,
  builds: Builds,
  rounds: number,
  progress: (line: string) => void,
): Promise<Visits> {
  const servers: Record<string, Awaited<ReturnType<typeof serveFiles>>> = {}
  for (const [name, files] of Object.entries(builds))
    if (!('why' in files)) servers[name] = await serveFiles(files)
  const runs = Object.entries(servers).map(([name, { url }]) => [name, () => visit(browser, url, true)])
  try {
    const visits = await takeRounds<string, Visit>(rounds, Object.fromEntries(runs), progress)
    return { ours: [], noScript: [], clientRendered: [], usual: [], ...visits }
  } finally {
    for (const server of Object.values(servers)) server.stop()
  }
}

async function visitProduct(browser: Browser, folder: string): Promise<Visit> {
  const product = await startBenchProduct(folder)
  try {
    await sleep(smallestAfterMs)
    return await visit(browser, `${product.url}/`, false)
  } finally {
    await product.terminate()
  }
}

function weights({ resources }: Visit): Row[] {
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
  ]
}

function times({ ours, noScript, clientRendered, usual }: Visits): Row[] {
  const ms = (visits: Visit[], figure: (one: Visit) => number) => `${medianOf(visits, figure).toFixed(0)} ms`
  const against = (
    what: string,
    others: Visit[],
    name: string,
    figure: (one: Visit) => number,
    most?: number,
  ): Row => ({
    what,
    ours: ms(ours, figure),
    other: `${name} ${ms(others, figure)}`,
    ratio: medianRatio(ours, others, figure),
    ...(most !== undefined && { goal: { most } }),
  })
  const firstPaint = (one: Visit) => one.firstPaintMs
  return [
    {
      what: 'requests answered before the first paint',
      ours: String(medianOf(ours, (one) => one.beforeFirstPaint)),
    },
    against('first paint', noScript, 'without script and font', firstPaint, 1.05),
    against('largest paint', noScript, 'without script and font', (one) => one.largestPaintMs, 1.1),
    against('first paint', clientRendered, 'client-rendered', firstPaint),
    ...(usual.length > 0 ? [against('first paint', usual, 'usual', firstPaint, 0.4)] : []),
    ...afterFirstPaint(ours),
  ]
}

function afterFirstPaint(ours: Visit[]): Row[] {
  const shift = medianOf(ours, (one) => one.shift)
  const blocking = medianOf(ours, (one) => one.blockingMs)
  const blockingInAll = medianOf(ours, (one) => one.blockingInAllMs)
  return [
    { what: 'layout shift', ours: shift.toFixed(4), figure: shift, goal: { most: 0.001 } },
    {
      what: 'blocking time',
      ours: `${blocking.toFixed(0)} ms`,
      figure: blocking,
      goal: { most: 20, unit: ' ms' },
    },
    {
      what: 'blocking time, before the first paint as well',
      ours: `${blockingInAll.toFixed(0)} ms`,
      figure: blockingInAll,
      goal: { most: 100, unit: ' ms' },
    },
  ]
}

function timesTable(visits: Visits): Table {
  const all = Object.keys(names) as (keyof typeof names)[] // the record has exactly these keys
  const keys = all.filter((key) => visits[key].length > 0)
  return {
    title: 'The builds on a slow line:',
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
