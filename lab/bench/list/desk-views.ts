import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '#rigs/load.ts'
import { inMs, measured, type Row } from '../rounds.ts'
import type { DeskTab } from './desk-tab.ts'
import type { ListSite } from './owner-command.ts'
import { compareWaits, type Work } from './visitors.ts'

const views = ['Today', 'People', 'Mail', 'Announce', 'Check-up']

/** Each view while it is open, and a search while it is typed, beside a closed desk. */
export async function benchViews(
  { product, people }: ListSite,
  tab: DeskTab,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Row[]> {
  const times = new Map<string, number[]>()
  const keep = (what: string, ms: number) => times.set(what, [...(times.get(what) ?? []), ms])
  const closed = {
    prepare: () => tab.page.goto('about:blank'),
    run: () => sleep(seconds * 1000),
  }
  const prepare = () => openDesk(tab, `${product.url}/desk`)
  const works = views.map((view): Work => {
    const run = async () => {
      keep(view, await timeOfView(tab, view))
      await sleep(seconds * 1000)
    }
    return { what: view, prepare, run }
  })
  const search = async () => {
    keep('search', await timeOfSearch(tab, people))
    await sleep(seconds * 500)
  }
  const waits = await compareWaits(product, {
    rounds,
    quiet: closed,
    works: [...works, { what: 'a search', prepare, run: search }],
  })
  return [...rowsOf(times), ...waits]
}

async function openDesk(tab: DeskTab, address: string): Promise<void> {
  if (tab.page.url() === 'about:blank') await tab.page.goto(address)
  await leave(tab)
}

/** `times`: in ms, by the name of the view, or `search`. */
function rowsOf(times: ReadonlyMap<string, readonly number[]>): Row[] {
  const medianOf = (what: string) => percentile(times.get(what) ?? [], 0.5)
  return [
    ...views.map((view) =>
      measured(`${view} stands after the click`, medianOf(view), inMs, { max: 400 }),
    ),
    measured('a search shows its first page', medianOf('search'), inMs, { max: 500 }),
  ]
}

/** After how many ms the view stands; another one is shown before. */
export function timeOfView(tab: DeskTab, view: string): Promise<number> {
  return tab.timeUntilAnswered(() => linkTo(tab, view).click())
}

/** Shows the view You, which has nothing of the list. */
export async function leave(tab: DeskTab): Promise<void> {
  const you = tab.page.getByRole('link', { name: 'You', exact: true })
  await tab.timeUntilAnswered(() => you.click())
}

function linkTo({ page }: DeskTab, view: string) {
  return page.getByRole('link', { name: new RegExp(`^${view}`) }).first() // or "Mail needs you"
}

/** The last letter is what is timed: the desk searches for each. */
async function timeOfSearch(tab: DeskTab, people: number): Promise<number> {
  const { page } = tab
  const search = page.getByRole('searchbox')
  await linkTo(tab, 'People').click()
  await search.fill('')
  const one = `person${Math.floor(people * 0.4321)}@`
  await search.pressSequentially(one.slice(0, -1), { delay: 80 })
  const start = performance.now()
  await search.press(one.slice(-1))
  await page.getByText('1–1', { exact: false }).waitFor()
  return performance.now() - start
}
