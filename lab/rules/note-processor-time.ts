import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'
import { processorTime } from '#server/site/processor-time.ts'

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

function endedChildrenMs(): number {
  return processorTime(process.pid)?.endedChildren ?? 0
}

function processTreeMs(pid: number): number {
  const { own = 0, endedChildren = 0 } = processorTime(pid) ?? {}
  return childrenOf(pid).reduce((sum, child) => sum + processTreeMs(child), own + endedChildren)
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
