import { join } from 'node:path'
import { launchBrowser } from '#rigs/browser.ts'
import { fetchPostgresPrograms } from '#rigs/database/postgres-programs.ts'
import { startPostgresServer } from '#rigs/database/postgres-server.ts'
import { median } from '#rigs/load.ts'
import type { Product } from '#rigs/product.ts'
import { type Bench, connections, newSignUps, runLoad, startBenchProduct } from '../bench.ts'
import { measured, type Row } from '../rounds.ts'
import { type DeskTab, openDeskTab } from './desk-tab.ts'
import { benchViews, benchVisitorsBesideViews, leave, timeOfView } from './desk-views.ts'
import { fillList, fillSeries } from './filled-list.ts'
import {
  type ActsScale,
  benchAnnouncing,
  benchBounces,
  benchExport,
  benchImport,
  benchStats,
} from './large-acts.ts'
import { type ListSite, ownerEmail, runOwner } from './owner-command.ts'
import { startRelay } from './relay.ts'

/**
 * A large list beside an empty one, on both engines: what visitors feel while the owner is at the
 * desk, and what the owner waits for.
 */
export async function benchList(bench: Bench): Promise<Row[]> {
  const inFolder = (name: string) => `file:${join(bench.folder, name)}.db`
  await benchEngine(bench, {
    engine: 'SQLite',
    emptyUrl: inFolder('empty'),
    fullUrl: inFolder('full'),
  })
  await fetchPostgresPrograms()
  await using server = await startPostgresServer()
  if (!server) return []
  await benchEngine(bench, {
    engine: 'PostgreSQL',
    emptyUrl: await server.newDatabase(),
    fullUrl: await server.newDatabase(),
  })
  return []
}

interface EngineUrls {
  engine: string
  emptyUrl: string
  fullUrl: string
}

async function benchEngine(
  { quick, folder, print }: Bench,
  { engine, emptyUrl, fullUrl }: EngineUrls,
): Promise<void> {
  const people = quick ? 2_000 : 1_000_000
  const scale = quick
    ? { rounds: 1, longRounds: 1, seconds: 1, imported: 1_000, bounced: 100, folder }
    : { rounds: 3, longRounds: 2, seconds: 4, imported: 100_000, bounced: 10_000, folder }
  const show = (rows: Row[]) =>
    print(rows.map((row) => ({ ...row, what: `${engine}: ${row.what}` })))
  note('filling')
  await fillList(fullUrl, people)
  await using relay = await startRelay()
  const start = (databaseUrl: string) =>
    startBenchProduct(join(folder, `${engine}-${databaseUrl === fullUrl ? 'full' : 'empty'}`), {
      DATABASE_URL: databaseUrl,
      OWNER_EMAIL: ownerEmail,
      SMTP_URL: `smtp://127.0.0.1:${relay.port}`,
      LIMIT_SITE_MAILS_PER_HOUR: 'off',
    })
  {
    // A process of its own: its memory holds nothing of the desk.
    await using product = await start(fullUrl)
    note('a letter')
    show(await benchAnnouncing({ product, databaseUrl: fullUrl, people }, scale))
  }
  await using full = await start(fullUrl)
  await using browser = await launchBrowser()
  const site = { product: full, databaseUrl: fullUrl, people }
  const tab = await openDeskTab(browser, site)
  await benchOwner(site, tab, scale, show)
  // Last: the mail of these sign-ups goes out for minutes.
  note('sign-ups')
  {
    await using empty = await start(emptyUrl)
    show([await benchFullBesideEmpty(full, empty, quick)])
  }
  note('a series')
  await fillSeries(fullUrl, Math.floor(people * 0.3))
  show(await benchSeries(site, tab, quick))
}

async function benchOwner(
  site: ListSite,
  tab: DeskTab,
  scale: ActsScale,
  show: (rows: Row[]) => void,
): Promise<void> {
  note('views')
  show(await benchViews(site, tab, scale))
  await tab.stepBack()
  note('an export') // early: it needs a proof that is fresh
  show(await benchExport(site, tab, scale))
  note('visitors beside the desk')
  show(await benchVisitorsBesideViews(site, tab, scale))
  note('an import')
  show(await benchImport(site, tab, scale))
  show([await benchStats(site)])
  note('bounces')
  show(await benchBounces(site, scale))
}

const signUpRounds = 5

/** Sign-ups with all on the list, beside none. */
async function benchFullBesideEmpty(full: Product, empty: Product, quick: boolean): Promise<Row> {
  const ratios: number[] = []
  for (let round = 0; round <= signUpRounds; round += 1) {
    const ours = await signUpsPerSecond(full, quick)
    const other = await signUpsPerSecond(empty, quick)
    if (round > 0) ratios.push(ours / other) // the first warms up
  }
  return shareOf('sign-ups a second beside none on the list', ratios)
}

/** With the series on, beside off, while nobody's letter falls due. */
async function benchSeries(site: ListSite, tab: DeskTab, quick: boolean): Promise<Row[]> {
  const figuresAndSignUps = async (to: 'on' | 'off') => {
    // The product's first letter: at the first start it has the first number.
    await runOwner(site, 'mailings', to === 'on' ? 'send' : 'pause', '1')
    await leave(tab)
    const todayMs = await timeOfView(tab, 'Today')
    return { todayMs, perSecond: await signUpsPerSecond(site.product, quick) }
  }
  await runOwner(site, 'mailings', 'send', '1')
  const signUps: number[] = []
  const today: number[] = []
  for (let round = 0; round < signUpRounds; round += 1) {
    const off = await figuresAndSignUps('off')
    const on = await figuresAndSignUps('on')
    signUps.push(on.perSecond / off.perSecond)
    today.push(on.todayMs / off.todayMs)
  }
  const what = `with a series for ${Math.floor(site.people * 0.3)} people, beside it switched off`
  return [
    shareOf(`sign-ups a second ${what}`, signUps),
    measured(`Today after the click ${what}`, median(today), inShare, { max: 1.3 }),
  ]
}

async function signUpsPerSecond(product: Product, quick: boolean): Promise<number> {
  const requests = newSignUps(product.url, quick ? 200 : 4_000)
  return (await runLoad(product.port, requests, connections)).perSecond
}

const inShare = (share: number) => share.toFixed(2)

function shareOf(what: string, ratios: readonly number[]): Row {
  return measured(what, median(ratios), inShare, { min: 0.9 })
}

function note(text: string): void {
  process.stderr.write(`${text}${' '.repeat(30)}\r`)
}
