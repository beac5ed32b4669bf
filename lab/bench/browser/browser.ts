import { root } from '#rigs/product.ts'
import type { Browser } from 'playwright-core'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, startBenchProduct } from '../bench.ts'
import { launchBrowser } from '../../rigs/browser.ts'
import type { PartReport, Row, Table } from '../report.ts'
import { compare, inMs, measured, medianOf, takeRounds } from '../rounds.ts'
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
  await using browser = await launchBrowser()
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
  using servers = new DisposableStack()
  const runs: Record<string, () => Promise<Visit>> = {}
  for (const [name, files] of Object.entries(builds)) {
    if ('why' in files) continue
    const { url } = servers.use(await serveFiles(files))
    runs[name] = () => visit(browser, url, true)
  }
  const visits = await takeRounds<string, Visit>(rounds, runs, progress)
  return { ours: [], noScript: [], clientRendered: [], usual: [], ...visits }
}

async function visitProduct(browser: Browser, folder: string): Promise<Visit> {
  await using product = await startBenchProduct(folder)
  await sleep(smallestAfterMs)
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

const firstPaint = { figure: (one: Visit) => one.firstPaintMs, show: inMs }
const largestPaint = { figure: (one: Visit) => one.largestPaintMs, show: inMs }

function times({ ours, noScript, clientRendered, usual }: Visits): Row[] {
  const withoutScript: [string, Visit[]] = ['without script and font', noScript]
  const before = medianOf(ours, (one) => one.beforeFirstPaint)
  return [
    { what: 'requests answered before the first paint', ours: String(before) },
    compare('first paint', ours, withoutScript, firstPaint, { most: 1.05 }),
    compare('largest paint', ours, withoutScript, largestPaint, { most: 1.1 }),
    compare('first paint', ours, ['client-rendered', clientRendered], firstPaint),
    ...(usual.length > 0 ? [compare('first paint', ours, ['usual', usual], firstPaint, { most: 0.4 })] : []),
    ...afterFirstPaint(ours),
  ]
}

function afterFirstPaint(ours: Visit[]): Row[] {
  const shift = medianOf(ours, (one) => one.shift)
  const blocking = medianOf(ours, (one) => one.blockingMs)
  const blockingInAll = medianOf(ours, (one) => one.blockingInAllMs)
  return [
    measured('layout shift', shift, (one) => one.toFixed(4), { most: 0.001 }),
    measured('blocking time', blocking, inMs, { most: 20, unit: ' ms' }),
    measured('blocking time, before the first paint as well', blockingInAll, inMs, {
      most: 100,
      unit: ' ms',
    }),
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
      const bytes = of(({ resources }) => resources.reduce((sum, one) => sum + one.bytes, 0))
      return [
        names[key],
        inMs(of((one) => one.firstPaintMs)),
        inMs(of((one) => one.largestPaintMs)),
        of((one) => one.shift).toFixed(4),
        inMs(of((one) => one.blockingMs)),
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
