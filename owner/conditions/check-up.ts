import type { Content } from '#content/content.ts'
import { startThread } from '#server/settings/project-files.ts'
import { dayMs } from '#server/database/clock.ts'
import type { ServedSite } from '#server/site/served-site.ts'
import type { ServerContext } from '#server/start/context.ts'
import type { Finding } from './finding.ts'

/** The last check-up of this process. */
export interface CheckUp {
  state: 'never-run' | 'running' | 'done' | 'broken-off'
  startedAt: number | null
  finishedAt: number | null
  /** The findings that have arrived, in order. */
  findings: Finding[]
}

/** The values that its thread is started with. */
export interface CheckUpOrder {
  content: Content
  /** It is undefined if no test mail is wanted. */
  testAddress: string | undefined
}

const longestMs = 3 * 60_000
const lookEveryMs = 5_000

export const checkUp: CheckUp = {
  state: 'never-run',
  startedAt: null,
  finishedAt: null,
  findings: [],
}

/** One runs at a time, in its own thread, so that no request waits for it. */
export function runCheckUp(
  { now, site }: Pick<ServerContext, 'now' | 'site'>,
  testAddress?: string,
): void {
  if (checkUp.state === 'running') return
  const order: CheckUpOrder = { content: site.current.content, testAddress }
  const thread = startThread('owner/conditions/check-up-thread.ts', order)
  Object.assign(checkUp, { state: 'running', startedAt: now(), finishedAt: null, findings: [] })
  const timer = setTimeout(() => void thread.terminate(), longestMs)
  thread.unref()
  timer.unref()
  thread.on('message', (found: Finding[]) => checkUp.findings.push(...found))
  thread.on('error', () => {}) // 'exit' follows
  thread.on('exit', (code) => {
    clearTimeout(timer)
    Object.assign(checkUp, { state: code === 0 ? 'done' : 'broken-off', finishedAt: now() })
  })
}

/**
 * Runs it when there is an owner to read it: at the start, whenever texts or settings have changed,
 * and once a day.
 */
export function repeatCheckUp({
  settings,
  site,
  now,
  repeat,
}: Pick<ServerContext, 'settings' | 'site' | 'now' | 'repeat'>): void {
  let checked: ServedSite | undefined
  repeat('check-up', lookEveryMs, async () => {
    const { ownerEmail } = settings.current.config
    if (ownerEmail === undefined || checkUp.state === 'running') return
    const isOld = now() - (checkUp.startedAt ?? 0) >= dayMs
    if (checked === site.current && !isOld) return
    checked = site.current
    runCheckUp({ now, site })
  })
}
