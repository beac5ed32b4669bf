import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '#rigs/load.ts'
import { inMs, measured, type Row } from '../rounds.ts'
import type { DeskTab } from './desk-tab.ts'
import type { ListSite } from './owner-command.ts'
import { compareWaits, type Work } from './visitors.ts'

const views = ['Today', 'People', 'Mail', 'Letters', 'Check-up']

/** A search takes time of its own for the typing, so it is shown for half as long as a view. */
const searchShare = 0.5

/** The pages of People that a search passes: everybody, those with the letters before, and one. */
const pageOfAll = '1–50'
const pageOfEleven = '1–11 of 11'
const pageOfOne = '1–1 of 1'

/** How long the owner waits for each view, and for a search. */
export async function benchViews(
  { people }: ListSite,
  tab: DeskTab,
  { rounds }: { rounds: number },
): Promise<Row[]> {
  const times = new Map<string, number[]>()
  const keep = (what: string, ms: number) => times.set(what, [...(times.get(what) ?? []), ms])
  for (let round = 0; round < rounds; round += 1) {
    for (const view of views) {
      await leave(tab)
      keep(view, await timeOfView(tab, view))
    }
    await leave(tab)
    keep('search', await timeOfSearch(tab, people))
  }
  return rowsOf(times)
}

/** Compares the waits of visitors while a view is open, or a search is typed, with none. */
export async function benchVisitorsBesideViews(
  { product, people }: ListSite,
  tab: DeskTab,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Row[]> {
  const closed = {
    prepare: () => tab.page.goto('about:blank'),
    run: () => sleep(seconds * 1000),
  }
  const prepare = () => openDesk(tab, `${product.url}/desk`)
  const works = views.map((view): Work => {
    const run = async () => {
      await timeOfView(tab, view)
      await sleep(seconds * 1000)
    }
    return { what: view, prepare, run }
  })
  const search = async () => {
    await timeOfSearch(tab, people)
    await sleep(seconds * 1000 * searchShare)
  }
  return compareWaits(product, {
    rounds,
    quiet: closed,
    works: [...works, { what: 'a search', prepare, run: search }],
  })
}

async function openDesk(tab: DeskTab, address: string): Promise<void> {
  if (tab.page.url() === 'about:blank') await tab.page.goto(address)
  await leave(tab)
}

/** `times`: in ms, by the name of the view, or `search`. */
function rowsOf(times: ReadonlyMap<string, readonly number[]>): Row[] {
  const medianOf = (what: string) => median(times.get(what) ?? [])
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

/** Times the last letters of a search: from there on the words fit one person alone. */
async function timeOfSearch(tab: DeskTab, people: number): Promise<number> {
  const { page } = tab
  const search = page.getByRole('searchbox')
  await linkTo(tab, 'People').click()
  await search.fill('')
  await shows(tab, pageOfAll)
  const one = `person${Math.floor(people * 0.4321)}@`
  const before = one.slice(0, -2)
  await search.pressSequentially(before, { delay: 80 })
  await shows(tab, pageOfEleven)
  const start = performance.now()
  await search.fill(one)
  await shows(tab, pageOfOne)
  return performance.now() - start
}

/** Looks at each frame of the browser. To wait for a locator looks twice a second. */
async function shows({ page }: DeskTab, words: string): Promise<void> {
  await page.waitForFunction((text) => document.body.innerText.includes(text), words)
}
