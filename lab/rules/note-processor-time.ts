import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** What the tests of a file used: of its worker and of the processes that it started. */
    processorMs?: number
  }
}

let before = 0
beforeAll(() => void (before = processorMs()))
// oxlint-disable-next-line no-empty-pattern -- vitest reads the pattern to learn what a hook needs
afterAll(({}, file) => {
  file.meta.processorMs = processorMs() - before
})

/** Used so far. Without Linux's /proc those of other processes are left out. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  const others = childrenOf(process.pid).reduce((sum, child) => sum + processTreeMs(child), 0)
  return (user + system) / 1000 + endedChildrenMs() + others
}

const msPerTick = 10

/** proc(5): `utime stime cutime cstime` are fields 14 to 17, behind a name that may hold anything. */
function timesOf(pid: number): number[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields.slice(11, 15).map((ticks) => Number(ticks) * msPerTick)
  } catch {
    return [] // it has ended, or this is not Linux
  }
}

function endedChildrenMs(): number {
  const [, , user = 0, system = 0] = timesOf(process.pid)
  return user + system
}

function processTreeMs(pid: number): number {
  const own = timesOf(pid).reduce((sum, ms) => sum + ms, 0)
  return childrenOf(pid).reduce((sum, child) => sum + processTreeMs(child), own)
}

function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.flatMap((thread) => {
      const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      return (children.match(/\d+/g) ?? []).map(Number)
    })
  } catch {
    return []
  }
}
