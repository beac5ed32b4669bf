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
  note(`${engine}: filling`)
  await fillList(urlOf('full'), people)
  await using relay = await startRelay()
  const start = (name: 'empty' | 'full') =>
    startBenchProduct(join(folder, `${engine}-${name}`), {
      DATABASE_URL: urlOf(name),
      OWNER_EMAIL: ownerEmail,
      SMTP_URL: `smtp://127.0.0.1:${relay.port}`,
      LIMIT_SITE_MAILS_PER_HOUR: 'off',
    })
  const scale = {
    rounds: quick ? 1 : 3,
    seconds: quick ? 1 : 10,
    imported: quick ? 1_000 : 100_000,
    folder,
  }
  const rows: Row[] = []
  {
    // A process of its own: its memory holds nothing of the desk.
    await using product = await start('full')
    note(`${engine}: an announcement`)
    rows.push(...(await benchAnnouncing({ product, databaseUrl: urlOf('full'), people }, scale)))
  }
  await using full = await start('full')
  const site = { product: full, databaseUrl: urlOf('full'), people }
  rows.push(...(await benchOwner(site, scale)))
  note(`${engine}: sign-ups`)
  await using empty = await start('empty')
  rows.push(await benchSignUps(full, empty, quick))
  return rows.map((row) => ({ ...row, what: `${engine}: ${row.what}` }))
}

async function benchOwner(site: ListSite, scale: ActsScale): Promise<Row[]> {
  await using browser = await launchBrowser()
  const tab = await openDeskTab(browser, site)
  note('an export') // first: it needs a proof that is fresh
  const rows = await benchExport(site, tab, scale)
  note('views')
  rows.push(...(await benchViews(site, tab, scale)))
  note('an import')
  rows.push(...(await benchImport(site, tab, scale)))
  await tab.page.close()
  rows.push(await benchStats(site))
  return rows
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
