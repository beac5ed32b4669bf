import { readFileSync } from 'node:fs'

export interface MemoryWatch {
  /** Growth from the first quarter of the watch to the last, by their medians. */
  stop(): { bytes: number; text: string }
}

const everyMs = 100

/** Resident memory of a process. Undefined where the system does not tell it as Linux does. */
export function residentBytes(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}

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

export function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
