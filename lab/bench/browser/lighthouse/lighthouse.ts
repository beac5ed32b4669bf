import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBrowser } from '#rigs/browser.ts'
import { root } from '#rigs/product.ts'
import { type Bench, startBenchProduct } from '../../bench.ts'
import type { Goal, PartReport, Row } from '../../report.ts'
import { compare, inMs, measured, medianOf, takeRounds } from '../../rounds.ts'
import { serveLandingPages } from '../landing-servers.ts'

/** The part of Lighthouse's report that is read here. */
interface Report {
  lighthouseVersion: string
  categories: Record<string, { title: string; score: number; auditRefs: { id: string; weight: number }[] }>
  audits: Record<
    string,
    { title: string; score: number | null; numericValue?: number; displayValue?: string }
  >
}

const smallestAfterMs = 3_000
const times: { id: string; what: string; goal?: Goal; mostOfAlone?: number }[] = [
  { id: 'first-contentful-paint', what: 'first paint', mostOfAlone: 1.05 },
  { id: 'largest-contentful-paint', what: 'largest paint', mostOfAlone: 1.1 },
  { id: 'total-blocking-time', what: 'blocking time', goal: { most: 100, unit: ' ms' } },
]

/**
 * Lighthouse for phones, in a real browser: the product, and the page beside the same HTML without script and font from
 * equal plain servers.
 */
export async function benchLighthouse({ quick, folder, progress }: Bench): Promise<PartReport> {
  const program = installLighthouse(progress)
  if (program === undefined)
    return { title: 'Lighthouse', notes: ['Skipped: it cannot be installed here.'], rows: [] }
  await using product = await startBenchProduct(folder)
  using pages = await serveLandingPages()
  await sleep(smallestAfterMs)
  const run = (url: string) => () => audit(program, url, join(folder, 'report.json'))
  const runs = { product: run(`${product.url}/`), ours: run(pages.ours), alone: run(pages.noScript) }
  return report(await takeRounds(quick ? 1 : 5, runs, progress))
}

/** At its first use, from the lockfile beside this file. Returns its path, or undefined if npm fails. */
function installLighthouse(progress: (line: string) => void): string | undefined {
  const folder = join(root, 'node_modules/.cache/starter-bot-lighthouse')
  const lockfile = 'package/package-lock.json'
  const readLock = (parent: string) => readFileSync(join(parent, lockfile))
  const program = join(folder, 'package/node_modules/lighthouse/cli/index.js')
  // npm writes this record last.
  const isInstalled = existsSync(join(folder, 'package/node_modules/.package-lock.json'))
  if (isInstalled && readLock(folder).equals(readLock(import.meta.dirname))) return program
  progress('installing')
  cpSync(join(import.meta.dirname, 'package'), join(folder, 'package'), { recursive: true })
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const shell = process.platform === 'win32'
  const { status } = spawnSync('npm', options, { cwd: join(folder, 'package'), stdio: 'inherit', shell })
  return status === 0 ? program : undefined
}

/** Its own recording sometimes fails ("NO_NAVSTART"). Then there is no figure, and the run is repeated. */
async function audit(program: string, url: string, file: string, tries = 3): Promise<Report> {
  const browser = await findBrowser()
  const options = [
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    '--only-categories=performance,accessibility,best-practices,seo',
    '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
  ]
  const child = spawn(process.execPath, [program, url, ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...browser.env, CHROME_PATH: browser.executablePath },
  })
  const [code] = await once(child, 'exit')
  if (code === 0) return JSON.parse(readFileSync(file, 'utf8'))
  if (tries > 1) return audit(program, url, file, tries - 1)
  throw new Error('Lighthouse failed; its reason is printed above.')
}

function report({ product, ours, alone }: Record<'product' | 'ours' | 'alone', Report[]>): PartReport {
  const [first] = product
  const scores = Object.entries(first?.categories ?? {}).map(([id, { title }]): Row => {
    const score = medianOf(product, (one) => (one.categories[id]?.score ?? 0) * 100)
    return measured(title.toLowerCase(), score, (one) => one.toFixed(0), { least: 100 })
  })
  const msOf = (id: string) => (one: Report) => one.audits[id]?.numericValue ?? NaN
  const figures = times.map(({ id, what, goal }) => measured(what, medianOf(product, msOf(id)), inMs, goal))
  const paints = times.flatMap(({ id, what, mostOfAlone: most }) =>
    most === undefined
      ? []
      : [compare(what, ours, ['without script and font', alone], { figure: msOf(id), show: inMs }, { most })],
  )
  return {
    title: 'Lighthouse',
    notes: [
      `Lighthouse ${first?.lighthouseVersion}, for phones, median of ${product.length}; the server speaks plain HTTP on localhost.`,
    ],
    rows: [...scores, ...figures, ...paints],
    tables: [
      {
        title: 'What is not perfect in any run:',
        head: ['Category', 'Audit', 'Says'],
        lines: imperfections(product),
      },
    ],
  }
}

function imperfections(reports: Report[]): string[][] {
  const found = new Map<string, string[]>()
  for (const { categories, audits } of reports)
    for (const { title, auditRefs } of Object.values(categories))
      for (const { id, weight } of auditRefs) {
        const one = audits[id]
        if (!one || one.score === null || one.score === 1) continue
        const says = `${one.displayValue ?? ''}${weight === 0 ? ' (does not count)' : ''}`.trim()
        found.set(id, [title, one.title.replaceAll('|', '\\|'), says.replaceAll('|', '\\|')])
      }
  return [...found.values()]
}
