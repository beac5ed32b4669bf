import type { Content } from '#content/content.ts'
import { startThread } from '#server/project-files.ts'
import { dayMs } from '#server/database/clock.ts'
import type { ServedSite, SiteHolder } from '#server/site/served-site.ts'
import type { ServerContext } from '#server/start/context.ts'
import { about, type Condition } from '../condition.ts'
import type { Checked } from './run-checks.ts'

/** The last check-up of a server. */
export interface CheckUp {
  state: 'never-run' | 'running' | 'done' | 'broken-off'
  startedAt: number | null
  finishedAt: number | null
  /** The conditions that each check found when it last ran. */
  found: Map<string, Condition[]>
}

/** The values that its thread is started with. */
export interface CheckUpOrder {
  content: Content
  /** The address for a test mail, if one is wanted. */
  testAddress: string | undefined
}

const hourMs = 60 * 60_000
const longestMs = 3 * 60_000
const lookEveryMs = 5_000

const ofServers = new WeakMap<SiteHolder, CheckUp>()

export function checkUpOf({ site }: Pick<ServerContext, 'site'>): CheckUp {
  const known = ofServers.get(site)
  if (known) return known
  const checkUp: CheckUp = {
    state: 'never-run',
    startedAt: null,
    finishedAt: null,
    found: new Map(),
  }
  ofServers.set(site, checkUp)
  return checkUp
}

export function conditionsOf({ state, found }: CheckUp): Condition[] {
  const { notChecked, warning, fine } = about('check-up.finished')
  const conditions = [...found.values()].flat()
  switch (state) {
    case 'never-run':
      return [notChecked('The check-up has not run yet.')]
    case 'broken-off':
      return [
        warning('The check-up did not finish.', 'Press “Run again”.', { place: 'check-up' }),
        ...conditions,
      ]
    case 'running':
    case 'done':
      return [fine('The check-up runs once a day, and after each change.'), ...conditions]
    default:
      return state satisfies never
  }
}

/** One runs at a time, in its own thread, so that no request waits for it. */
export function runCheckUp(
  { now, site }: Pick<ServerContext, 'now' | 'site'>,
  testAddress?: string,
): void {
  const checkUp = checkUpOf({ site })
  if (checkUp.state === 'running') return
  const order: CheckUpOrder = { content: site.current.content, testAddress }
  const thread = startThread('owner/conditions/check-up/check-up-thread.ts', order)
  Object.assign(checkUp, { state: 'running', startedAt: now(), finishedAt: null })
  const timer = setTimeout(() => void thread.terminate(), longestMs)
  thread.unref()
  timer.unref()
  thread.on('message', ({ check, conditions }: Checked) => checkUp.found.set(check, conditions))
  thread.on('error', () => {}) // 'exit' follows
  thread.on('exit', (code) => {
    clearTimeout(timer)
    Object.assign(checkUp, { state: code === 0 ? 'done' : 'broken-off', finishedAt: now() })
  })
}

/**
 * Runs it when there is an owner to read it: at the start, whenever texts or settings have changed,
 * and once a day; every hour while it finds an error.
 */
export function repeatCheckUp({
  settings,
  site,
  now,
  repeat,
}: Pick<ServerContext, 'settings' | 'site' | 'now' | 'repeat'>): void {
  const checkUp = checkUpOf({ site })
  let checked: ServedSite | undefined
  repeat('check-up', lookEveryMs, async () => {
    const { ownerEmail } = settings.current.config
    if (ownerEmail === undefined || checkUp.state === 'running') return
    const isChanged = checked !== site.current
    const hasError = conditionsOf(checkUp).some(({ severity }) => severity === 'error')
    const isOld = now() - (checkUp.startedAt ?? 0) >= (hasError ? hourMs : dayMs)
    if (!isChanged && !isOld) return
    if (isChanged) checkUp.found.clear()
    checked = site.current
    runCheckUp({ now, site })
  })
}
