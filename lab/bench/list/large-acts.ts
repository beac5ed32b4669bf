import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '#rigs/load.ts'
import { inMb, inMs, measured, type Row } from '../rounds.ts'
import type { DeskTab } from './desk-tab.ts'
import { addressOf } from './filled-list.ts'
import { type ListSite, runOwner } from './owner-command.ts'
import { compareWaits } from './visitors.ts'

export interface ActsScale {
  rounds: number
  /** The rounds of acts that take longer than the others. */
  longRounds: number
  /** The length of the time without an act, and of a mailing under way. */
  seconds: number
  /** In the file that is tried out. */
  imported: number
  /** In a file of bounces. */
  bounced: number
  /** For files. */
  folder: string
}

/** An export of everybody at the desk. */
export async function benchExport(
  { product }: ListSite,
  { page }: DeskTab,
  { longRounds: rounds, seconds }: ActsScale,
): Promise<Row[]> {
  const wish = {
    text: '',
    who: 'everyone',
    days: '',
    campaign: '',
    tool: 'csv',
    consentedOnly: false,
  }
  const run = () =>
    page.evaluate(async (body) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch('/desk/api/export', { method: 'POST', headers, body })
      if (!answer.ok) throw new Error(`The export was refused: ${answer.status}`)
      await answer.body!.pipeTo(new WritableStream()) // reads to the end, and keeps nothing
    }, JSON.stringify(wish))
  const quiet = { run: () => sleep(seconds * 1000) }
  return compareWaits(product, { rounds, quiet, works: [{ what: 'an export', run }] })
}

/** A file that is tried out at the desk. */
export async function benchImport(
  { product }: ListSite,
  { page, timeUntilAnswered }: DeskTab,
  { longRounds: rounds, seconds, imported, folder }: ActsScale,
): Promise<Row[]> {
  const file = join(folder, 'people.csv')
  const lines = Array.from({ length: imported }, (_, index) => `imported${index}@example.net`)
  writeFileSync(file, `email\n${lines.join('\n')}\n`)
  const quiet = {
    prepare: () => page.goto(`${product.url}/desk/people/import`),
    run: () => sleep(seconds * 1000),
  }
  const run = () =>
    timeUntilAnswered(async () => {
      await page.locator('input[type=file]').setInputFiles(file)
      await page.getByRole('heading', { name: 'would be added' }).waitFor({ timeout: 600_000 })
    })
  const what = `trying an import of ${imported} out`
  return compareWaits(product, { rounds, quiet, works: [{ what, run }] })
}

/** A letter under way to everybody who agreed. */
export async function benchAnnouncing(
  site: ListSite,
  { rounds, seconds, folder }: ActsScale,
): Promise<Row[]> {
  const { product } = site
  const audience = Math.floor(site.people / 5)
  const file = join(folder, 'bench-letter.md')
  writeFileSync(file, '---\nsubject: News\n---\n\nHello.\n')
  await runOwner(site, 'mailings', 'add', file)
  await runOwner(site, 'mailings', 'send', 'bench-letter', '--now')
  let mostMb = 0
  const watch = setInterval(() => (mostMb = Math.max(mostMb, product.residentMb())), 500)
  const name = 'bench-letter'
  const run = () => sleep(seconds * 1000)
  const quiet = { prepare: () => runOwner(site, 'mailings', 'pause', name), run }
  const what = `a letter to ${audience}`
  const work = { what, prepare: () => runOwner(site, 'mailings', 'resume', name), run }
  const waits = await compareWaits(product, { rounds, quiet, works: [work] })
  clearInterval(watch)
  await runOwner(site, 'mailings', 'cancel', name)
  return [...waits, measured(`${what}: memory`, mostMb, inMb, { max: 150 })]
}

/** A file of addresses that came back, on the command line. */
export async function benchBounces(
  site: ListSite,
  { longRounds: rounds, seconds, bounced, folder }: ActsScale,
): Promise<Row[]> {
  const file = join(folder, 'bounces.csv')
  const times: number[] = []
  let next = 0
  const prepare = () => {
    const lines = Array.from({ length: bounced }, (_, index) => addressOf(next + index + 1))
    next += bounced
    return writeFile(file, `email\n${lines.join('\n')}\n`)
  }
  const run = async () => {
    const start = performance.now()
    await runOwner(site, 'subscribers', 'suppress', file)
    times.push(performance.now() - start)
  }
  const what = `bounces of ${bounced}`
  const quiet = { run: () => sleep(seconds * 1000) }
  const waits = await compareWaits(site.product, { rounds, quiet, works: [{ what, prepare, run }] })
  return [measured(`${what}: until all are marked`, median(times), inMs), ...waits]
}

/** With the start of the program. */
export async function benchStats(site: ListSite): Promise<Row> {
  const start = performance.now()
  await runOwner(site, 'stats')
  return measured('owner stats', performance.now() - start, inMs, { max: 1_000 })
}
