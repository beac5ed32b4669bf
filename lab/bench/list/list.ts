import { join } from 'node:path'
import { launchBrowser } from '#rigs/browser.ts'
import { fetchPostgresPrograms } from '#rigs/database/postgres-programs.ts'
import { startPostgresServer } from '#rigs/database/postgres-server.ts'
import { percentile } from '#rigs/load.ts'
import type { Product } from '#rigs/product.ts'
import { type Bench, connections, newSignUps, runLoad, startBenchProduct } from '../bench.ts'
import { measured, type Row } from '../rounds.ts'
import { openDeskTab } from './desk-tab.ts'
import { benchViews } from './desk-views.ts'
import { fillList } from './filled-list.ts'
import {
  type ActsScale,
  benchAnnouncing,
  benchExport,
  benchImport,
  benchStats,
} from './large-acts.ts'
import { type ListSite, ownerEmail } from './owner-command.ts'
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
  const scale = {
    rounds: quick ? 1 : 3,
    seconds: quick ? 1 : 10,
    imported: quick ? 1_000 : 100_000,
    folder,
  }
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
    note('an announcement')
    show(await benchAnnouncing({ product, databaseUrl: fullUrl, people }, scale))
  }
  await using full = await start(fullUrl)
  await benchOwner({ product: full, databaseUrl: fullUrl, people }, scale, show)
  note('sign-ups')
  await using empty = await start(emptyUrl)
  show([await benchSignUps(full, empty, quick)])
}

async function benchOwner(
  site: ListSite,
  scale: ActsScale,
  show: (rows: Row[]) => void,
): Promise<void> {
  await using browser = await launchBrowser()
  const tab = await openDeskTab(browser, site)
  note('an export') // first: it needs a proof that is fresh
  show(await benchExport(site, tab, scale))
  note('views')
  show(await benchViews(site, tab, scale))
  note('an import')
  show(await benchImport(site, tab, scale))
  await tab.page.close()
  show([await benchStats(site)])
}

/** With all on the list, beside none. */
async function benchSignUps(full: Product, empty: Product, quick: boolean): Promise<Row> {
  const count = quick ? 500 : 10_000
  const rounds = quick ? 1 : 5
  const ratios: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const ours = await runLoad(full.port, newSignUps(full.url, count), connections)
    const other = await runLoad(empty.port, newSignUps(empty.url, count), connections)
    if (round > 0) ratios.push(ours.perSecond / other.perSecond) // the first warms up
  }
  const what = 'sign-ups a second beside none on the list'
  return measured(what, percentile(ratios, 0.5), (share) => share.toFixed(2), { min: 0.9 })
}

function note(text: string): void {
  process.stderr.write(`${text}${' '.repeat(30)}\r`)
}
