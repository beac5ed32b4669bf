import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Product } from '#rigs/product.ts'

export interface MemoryWatch {
  /** Growth from the first quarter of the watch to the last, by their medians. */
  stop(): { bytes: number; text: string }
}

const everyMs = 100

/** Resident memory of a process. Undefined on systems that do not report it as Linux does. */
export function residentBytes(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}

/** Bytes that a product holds once its garbage is collected. It was started with `tellsMemory`. */
export async function heldBytes({ pid, printed }: Product): Promise<number> {
  const answers = () => Array.from(printed().matchAll(/^holds (\d+) bytes$/gm), ([, bytes]) => Number(bytes))
  const answered = answers().length
  process.kill(pid, 'SIGUSR2')
  while (answers().length === answered) await sleep(50)
  return answers().at(-1)!
}

/** Preloaded into a product: at SIGUSR2 it collects its garbage and prints what it holds. */
export const tellsMemory = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { setFlagsFromString } from 'node:v8'
    import { runInNewContext } from 'node:vm'
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc')
    process.on('SIGUSR2', () => {
      collectGarbage()
      const { heapUsed, external } = process.memoryUsage()
      console.log('holds ' + (heapUsed + external) + ' bytes')
    })`)}`,
)

export function watchMemory(pid: number): MemoryWatch {
  const samples: number[] = []
  const look = setInterval(() => {
    const bytes = residentBytes(pid)
    if (bytes !== undefined) samples.push(bytes)
  }, everyMs)
  return {
    stop() {
      clearInterval(look)
      const quarter = Math.ceil(samples.length / 4)
      const first = median(samples.slice(0, quarter))
      const last = median(samples.slice(-quarter))
      if (first === undefined || last === undefined) return { bytes: 0, text: 'not known here' }
      return { bytes: last - first, text: `${inMegabytes(first)} -> ${inMegabytes(last)} MB` }
    },
  }
}

export function inMegabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0)
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
