import { readFileSync } from 'node:fs'

/** In ms, since the start of a process. */
export interface ProcessorTime {
  own: number
  /** The time of the processes that it started and that have ended. */
  endedChildren: number
}

/** Linux counts it in hundredths of a second for each program that asks. */
const msPerTick = 10

/** Returns undefined if the process has ended, or off Linux, where no file tells it. */
export function processorTime(pid: number): ProcessorTime | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // proc(5): `utime stime cutime cstime` are fields 14 to 17, behind a name that may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields
    .slice(11, 15)
    .map((ticks) => Number(ticks) * msPerTick)
  return { own: user + system, endedChildren: childrenUser + childrenSystem }
}
