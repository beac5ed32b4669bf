import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'
import { processorTime } from '#server/site/processor-time.ts'
import { runYardstick } from './yardstick.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The processor time of a file's tests: in its worker, and in the processes they started. */
    processorMs?: number
    /** The processor time of the yardstick, in the same worker just before. */
    yardstickMs?: number
  }
}

let before = 0
let yardstickMs = 0
beforeAll(() => {
  const start = ownMs()
  runYardstick()
  yardstickMs = ownMs() - start
  before = processorMs()
})
// oxlint-disable-next-line no-empty-pattern -- vitest reads the pattern to learn what a hook needs
afterAll(({}, file) => {
  file.meta.processorMs = processorMs() - before
  file.meta.yardstickMs = yardstickMs
})

/** Used so far. Without Linux's /proc, other processes are left out. */
function processorMs(): number {
  const others = childrenOf(process.pid).reduce((sum, child) => sum + processTreeMs(child), 0)
  return ownMs() + endedChildrenMs() + others
}

function ownMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
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
