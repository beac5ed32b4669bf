import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { launchBrowser } from '#rigs/browser.ts'
import { fetchPostgresPrograms } from '#rigs/database/postgres-programs.ts'
import { startPostgresServer } from '#rigs/database/postgres-server.ts'
import { generateLoad, percentile } from '#rigs/load.ts'
import { type Product, root } from '#rigs/product.ts'
import { type Bench, connections, newSignUps, runLoad, startBenchProduct } from './bench.ts'
import { fillList } from './filled-list.ts'
import { inMs, measured, type Row } from './rounds.ts'

const run = promisify(execFile)
const ownerEmail = 'owner@example.org'
const signUpsPerSecond = 25
const views = ['Today', 'People', 'Mail', 'Announce']

/** How long visitors waited, in ms. */
interface Waits {
  longest: number
  p99: number
}

/**
 * A large list beside an empty one, on both engines: what visitors feel while the owner looks at
 * the desk, and what the owner waits for.
 */
export async function benchList(bench: Bench): Promise<Row[]> {
  const rows = await benchEngine(bench, 'SQLite', (name) => `file:${join(bench.folder, name)}.db`)
  await fetchPostgresPrograms()
  await using server = await startPostgresServer()
  if (!server) return rows
  const urls = { empty: await server.newDatabase(), full: await server.newDatabase() }
  return [...rows, ...(await benchEngine(bench, 'PostgreSQL', (name) => urls[name]))]
}

async function benchEngine(
  { quick, folder }: Bench,
  engine: string,
  urlOf: (name: 'empty' | 'full') => string,
): Promise<Row[]> {
  const people = quick ? 2_000 : 1_000_000
  const startedAt = performance.now()
  await fillList(urlOf('full'), people)
  process.stderr.write(`filled in ${Math.round((performance.now() - startedAt) / 1000)} s   \r`)
  await using empty = await startBenchProduct(join(folder, `${engine}-empty`), {
    DATABASE_URL: urlOf('empty'),
    OWNER_EMAIL: ownerEmail,
  })
  await using full = await startBenchProduct(join(folder, `${engine}-full`), {
    DATABASE_URL: urlOf('full'),
    OWNER_EMAIL: ownerEmail,
  })
  const seconds = quick ? 2 : 10
  const rows = [
    ...(await benchSignUps(full, empty, quick)),
    ...(await benchDesk(full, urlOf('full'), seconds)),
    await benchStats(full, urlOf('full')),
  ]
  return rows.map((row) => ({ ...row, what: `${engine}: ${row.what}` }))
}

/** With all on the list, beside none. */
async function benchSignUps(full: Product, empty: Product, quick: boolean): Promise<Row[]> {
  const [count, rounds] = quick ? [500, 1] : [10_000, 5]
  const ratios: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const ours = await runLoad(full.port, newSignUps(full.url, count), connections)
    const other = await runLoad(empty.port, newSignUps(empty.url, count), connections)
    if (round > 0) ratios.push(ours.perSecond / other.perSecond) // the first warms up
  }
  return [
    measured('sign-ups a second beside none on the list', percentile(ratios, 0.5), inShare, {
      min: 0.9,
    }),
  ]
}

async function benchDesk(product: Product, databaseUrl: string, seconds: number): Promise<Row[]> {
  await using browser = await launchBrowser()
  const page = await browser.newPage()
  const settled = watchCalls(page)
  const quiet = await visitorsDuring(product, () => sleep(seconds * 1000))
  await page.goto(await deskLink(product, databaseUrl))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Today' }).waitFor()
  const rows = [measured('longest wait of a visitor without the desk', quiet.longest, inMs)]
  for (const view of views) {
    let stoodAfterMs = 0
    const waits = await visitorsDuring(product, async () => {
      await page.getByRole('link', { name: 'You', exact: true }).click()
      await settled()
      const start = performance.now()
      await page.getByRole('link', { name: new RegExp(`^${view}`) }).click() // or "Mail needs you"
      stoodAfterMs = (await settled()) - start
      await sleep(seconds * 1000)
    })
    rows.push(measured(`${view} stands after the click`, stoodAfterMs, inMs, { max: 400 }))
    rows.push(...besideQuiet(view, waits, quiet))
  }
  return [...rows, ...(await benchSearch(product, page, settled, quiet))]
}

async function benchSearch(
  product: Product,
  page: Page,
  settled: () => Promise<number>,
  quiet: Waits,
): Promise<Row[]> {
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await settled()
  let shownAfterMs = 0
  const waits = await visitorsDuring(product, async () => {
    const search = page.locator('input[type=search]')
    const start = performance.now()
    await search.fill('person4321')
    await search.press('Enter')
    shownAfterMs = (await settled()) - start
  })
  return [
    measured('a search shows its first page', shownAfterMs, inMs, { max: 500 }),
    ...besideQuiet('a search', waits, quiet),
  ]
}

function besideQuiet(what: string, waits: Waits, quiet: Waits): Row[] {
  return [
    {
      what: `${what}: longest wait of a visitor, above that without the desk`,
      ours: inMs(waits.longest),
      other: inMs(quiet.longest),
      judged: waits.longest - quiet.longest,
      goal: { max: 30 },
    },
    {
      what: `${what}: p99 beside that without the desk`,
      ours: inMs(waits.p99),
      other: inMs(quiet.p99),
      judged: waits.p99 / quiet.p99,
      goal: { max: 1.3 },
    },
  ]
}

async function benchStats(product: Product, databaseUrl: string): Promise<Row> {
  const start = performance.now()
  await owner(product, databaseUrl, 'stats')
  return measured('owner stats', performance.now() - start, inMs, { max: 1_000 })
}

/** Sign-ups at a steady rate while `work` runs. A wait counts from the moment the request is due. */
async function visitorsDuring(product: Product, work: () => Promise<unknown>): Promise<Waits> {
  const load = generateLoad({
    port: product.port,
    connections: 8,
    perSecond: signUpsPerSecond,
    next: () => ({ bytes: newSignUps(product.url, 1)[0]! }),
  })
  await work()
  await load.stop()
  return { longest: Math.max(...load.latenciesMs), p99: load.p99() }
}

/** Returns a function that waits until the desk's calls are answered, and resolves to that moment. */
function watchCalls(page: Page) {
  const waiting = new Set<unknown>()
  let answeredAt = performance.now()
  page.on('request', (request) => {
    if (request.url().includes('/desk/api/')) waiting.add(request)
  })
  const end = (request: unknown) => {
    if (waiting.delete(request)) answeredAt = performance.now()
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return async () => {
    for (let quietTurns = 0; quietTurns < 5; quietTurns += 1) {
      if (waiting.size > 0) quietTurns = 0
      await sleep(20)
    }
    return answeredAt
  }
}

async function deskLink(product: Product, databaseUrl: string): Promise<string> {
  return (await owner(product, databaseUrl, 'desk-link')).trim()
}

async function owner(product: Product, databaseUrl: string, ...words: string[]): Promise<string> {
  const environment = {
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: product.url,
    OWNER_EMAIL: ownerEmail,
  }
  const { stdout } = await run(process.execPath, ['start.ts', 'owner', ...words], {
    cwd: root,
    env: { ...process.env, ...environment },
  })
  return stdout
}

const inShare = (share: number) => share.toFixed(2)
