import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { type ListSite, runOwner } from './owner-command.ts'

const waitMs = 120_000

/** A tab of the desk, signed in. */
export interface DeskTab {
  page: Page
  /** Does the work, and returns after how many ms the desk's calls that it caused are answered. */
  timeUntilAnswered(work: () => Promise<unknown>): Promise<number>
  /** From now on the browser takes no core that the server needs: the owner's is elsewhere. */
  stepBack(): Promise<void>
}

export async function openDeskTab(browser: Browser, site: ListSite): Promise<DeskTab> {
  const page = await browser.newPage()
  page.setDefaultTimeout(waitMs) // beside a machine that is busy with the bench itself
  const calls = watchCalls(page)
  await page.goto((await runOwner(site, 'desk-link')).trim())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Today' }).waitFor()
  return {
    page,
    async timeUntilAnswered(work) {
      const start = performance.now()
      const seen = calls.seen()
      await work()
      return (await calls.answeredAfter(seen)) - start
    },
    stepBack: () => lowerPriority(browser),
  }
}

async function lowerPriority(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  for (const { id } of processInfo) {
    setPriority(id, constants.priority.PRIORITY_LOW)
    try {
      // Linux may share the cores among sessions first: then the priority counts only within one.
      writeFileSync(`/proc/${id}/autogroup`, String(constants.priority.PRIORITY_LOW))
    } catch {
      // another system
    }
  }
}

const lookEveryMs = 10
/** A call may cause another one this much later. */
const quietMs = 150

function watchCalls(page: Page) {
  const open = new Set<unknown>()
  let seen = 0
  let answeredAt = performance.now()
  page.on('request', (request) => {
    if (!request.url().includes('/desk/api/')) return
    open.add(request)
    seen += 1
  })
  const end = (request: unknown) => {
    if (open.delete(request)) answeredAt = performance.now()
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return {
    seen: () => seen,
    /** Resolves to the moment when all were answered: at least one after the first `before`. */
    async answeredAfter(before: number): Promise<number> {
      const isQuiet = () =>
        seen > before && open.size === 0 && performance.now() - answeredAt > quietMs
      while (!isQuiet()) await sleep(lookEveryMs)
      return answeredAt
    },
  }
}
