import { isRowFault } from './faults.ts'
import { Unavailable } from './database.ts'

const maxGroup = 500
/** A group of this size no longer waits for more: the commit costs each item next to nothing. */
const fullGroup = 100
const maxWaiting = 20_000

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (fault: unknown) => void
}

/**
 * Items that arrive together share one commit. A group grows while the one before it commits, and as long as each turn of the
 * event loop brings more. A result is returned after its own commit. If the database refuses a row, each item is tried alone,
 * so that it does not fail the others. Rejects after `timeoutMs`; the commit may still succeed, and then a repeated sign-up
 * finds the address registered.
 */
export function groupCommits<Item, Result>(
  commit: (group: readonly Item[]) => Promise<readonly Result[]>,
  { timeoutMs = 2_000 } = {},
) {
  const waiting: Waiting<Item, Result>[] = []
  let running = false
  let hanging = false

  function collect(before: number) {
    running = true
    setImmediate(() => {
      if (waiting.length > before && waiting.length < fullGroup) collect(waiting.length)
      else void run()
    })
  }

  async function run() {
    while (waiting.length > 0) {
      const group = waiting.splice(0, maxGroup)
      const timer = timeoutMs === Infinity ? undefined : setTimeout(rejectGroup, timeoutMs, group)
      await settle(group, commit)
      clearTimeout(timer)
      hanging = false
    }
    running = false
  }

  function rejectGroup(group: Waiting<Item, Result>[]) {
    hanging = true
    rejectAll([...group, ...waiting.splice(0)], new Unavailable('the database does not answer'))
  }

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (hanging || waiting.length >= maxWaiting)
        return reject(new Unavailable('too many wait for the database'))
      waiting.push({ item, resolve, reject })
      if (!running) collect(0)
    })
}

async function settle<Item, Result>(
  group: readonly Waiting<Item, Result>[],
  commit: (group: readonly Item[]) => Promise<readonly Result[]>,
) {
  try {
    const results = await commit(group.map((one) => one.item))
    group.forEach((one, index) => one.resolve(results[index]!))
  } catch (fault) {
    if (group.length > 1 && isRowFault(fault)) for (const one of group) await settle([one], commit)
    else rejectAll(group, fault)
  }
}

function rejectAll(group: readonly { reject: (fault: unknown) => void }[], fault: unknown) {
  for (const one of group) one.reject(fault)
}
