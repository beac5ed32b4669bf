import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, startBenchProduct } from '../../bench.ts'
import { type BrowserProgram, findBrowser } from '#rigs/browser.ts'
import { installPackage } from '../../install-package.ts'
import { landingBuilds } from '../builds.ts'
import { serveFiles } from '../serve-files.ts'
import type { Goal, PartReport, Row } from '../../report.ts'
import { compare, inMs, measured, medianOf, takeRounds } from '../../rounds.ts'

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
const times: Record<string, { what: string; goal?: Goal }> = {
  'first-contentful-paint': { what: 'first paint' },
  'largest-contentful-paint': { what: 'largest paint' },
  'total-blocking-time': { what: 'blocking time', goal: { most: 100, unit: ' ms' } },
}

/** Lighthouse for phones, in a real browser. */
export async function benchLighthouse({ quick, folder, progress }: Bench): Promise<PartReport> {
  const installed = installPackage('starter-bot-lighthouse', join(import.meta.dirname, 'package'), progress)
  if ('why' in installed) return { title: 'Lighthouse', notes: [`Skipped: ${installed.why}`], rows: [] }
  const program = join(installed.folder, 'node_modules/lighthouse/cli/index.js')
  const rounds = quick ? 1 : 5
  const browser = await findBrowser()
  await using product = await startBenchProduct(folder)
  await sleep(smallestAfterMs)
  const run = () => audit(program, browser, `${product.url}/`, join(folder, 'product.json'))
  const { page } = await takeRounds(rounds, { page: run }, progress)
  return report(page, await comparePaints(program, browser, folder, rounds, progress))
}

/** The page beside the same HTML without script and font, from the same plain server, in turn. */
async function comparePaints(
  program: string,
  browser: BrowserProgram,
  folder: string,
  rounds: number,
  progress: (line: string) => void,
): Promise<Row[]> {
  const { ours, noScript } = await landingBuilds()
  using pageServer = await serveFiles(ours)
  using aloneServer = await serveFiles(noScript)
  const auditOf = (url: string) => () => audit(program, browser, url, join(folder, 'alone.json'))
  const runs = { ours: auditOf(pageServer.url), alone: auditOf(aloneServer.url) }
  const reports = await takeRounds(rounds, runs, progress)
  const row = (id: 'first-contentful-paint' | 'largest-contentful-paint', most: number) => {
    const figure = (one: Report) => one.audits[id]?.numericValue ?? NaN
    const alone: [string, Report[]] = ['without script and font', reports.alone]
    return compare(times[id]!.what, reports.ours, alone, { figure, show: inMs }, { most })
  }
  return [row('first-contentful-paint', 1.05), row('largest-contentful-paint', 1.1)]
}

/** Its own recording sometimes fails ("NO_NAVSTART"). Then there is no figure, and the run is repeated. */
async function audit(
  program: string,
  browser: BrowserProgram,
  url: string,
  file: string,
  tries = 3,
): Promise<Report> {
  const child = spawn(
    process.execPath,
    [
      program,
      url,
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
      '--only-categories=performance,accessibility,best-practices,seo',
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...browser.env, CHROME_PATH: browser.executablePath } },
  )
  const [code] = await once(child, 'exit')
  if (code !== 0 && tries > 1) return audit(program, browser, url, file, tries - 1)
  if (code !== 0) throw new Error('Lighthouse failed; why stands above.')
  return JSON.parse(readFileSync(file, 'utf8'))
}

function report(reports: Report[], paints: Row[]): PartReport {
  const [first] = reports
  const scores = Object.entries(first?.categories ?? {}).map(([id, { title }]): Row => {
    const score = medianOf(reports, (one) => (one.categories[id]?.score ?? 0) * 100)
    return measured(title.toLowerCase(), score, (one) => one.toFixed(0), { least: 100 })
  })
  const figures = Object.entries(times).map(([id, { what, goal }]): Row => {
    const ms = medianOf(reports, (one) => one.audits[id]?.numericValue ?? NaN)
    return measured(what, ms, inMs, goal)
  })
  return {
    title: 'Lighthouse',
    notes: [
      `Lighthouse ${first?.lighthouseVersion}, for phones, median of ${reports.length}; the server speaks plain HTTP on localhost.`,
    ],
    rows: [...scores, ...figures, ...paints],
    tables: [
      {
        title: 'What is not perfect in any run:',
        head: ['Category', 'Audit', 'Says'],
        lines: imperfections(reports),
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
