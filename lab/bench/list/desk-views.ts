import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '#rigs/load.ts'
import { inMs, measured, type Row } from '../rounds.ts'
import type { DeskTab } from './desk-tab.ts'
import type { ListSite } from './owner-command.ts'
import { compareWaits } from './visitors.ts'

const views = ['Today', 'People', 'Mail', 'Announce', 'Check-up']

/** Each view while it is open, and a search while it is typed. */
export async function benchViews(
  { product, people }: ListSite,
  { page, timeUntilAnswered }: DeskTab,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Row[]> {
  const rows: Row[] = []
  // The view You shows nothing of the list.
  const leave = () => page.getByRole('link', { name: 'You', exact: true }).click()
  const quiet = { prepare: () => timeUntilAnswered(leave), run: () => sleep(seconds * 1000) }
  for (const view of views) {
    const times: number[] = []
    const link = page.getByRole('link', { name: new RegExp(`^${view}`) }) // or "Mail needs you"
    const run = async () => {
      times.push(await timeUntilAnswered(() => link.first().click()))
      await sleep(seconds * 1000)
    }
    const waits = await compareWaits(product, { what: view, rounds, quiet, work: { run } })
    rows.push(
      measured(`${view} stands after the click`, percentile(times, 0.5), inMs, { max: 400 }),
    )
    rows.push(...waits)
  }

  const times: number[] = []
  const search = page.getByRole('searchbox')
  const typeSearch = async () => {
    await page
      .getByRole('link', { name: /^People/ })
      .first()
      .click()
    await search.fill('')
    // The last letter is what is timed: the desk searches for each.
    const one = `person${Math.floor(people * 0.4321)}@`
    await search.pressSequentially(one.slice(0, -1), { delay: 80 })
    const start = performance.now()
    await search.press(one.slice(-1))
    await page.getByText('1–1', { exact: false }).waitFor()
    times.push(performance.now() - start)
    await sleep(seconds * 500)
  }
  const waits = await compareWaits(product, {
    what: 'a search',
    rounds,
    quiet,
    work: { run: typeSearch },
  })
  return [
    ...rows,
    measured('a search shows its first page', percentile(times, 0.5), inMs, { max: 500 }),
    ...waits,
  ]
}
