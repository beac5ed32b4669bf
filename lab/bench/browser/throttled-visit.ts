import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { type BarePage, openBarePage } from './bare-page.ts'

export type Visit = Awaited<ReturnType<typeof visit>>

export interface Resource {
  path: string
  type: string
  /** On the wire, headers included. */
  bytes: number
  bodyBytes: number
}

interface Seen {
  shift: number
  largestPaintMs: number
  longTasks: { start: number; end: number }[]
}

const phone = { width: 390, height: 844, deviceScaleFactor: 2, mobile: true }
export const slowLine = { latencyMs: 150, megabits: 1.6, cpuSlowdown: 4 }
const quietMs = 3_000
const lookEveryMs = 100
/** Time for the previous page to close and for this page's process to start. */
const settleMs = 1_000

/** Opens the page in a fresh profile, over a slow line and with a slow processor if asked, and watches until nothing moves. */
export async function visit(browser: Browser, url: string, slow: boolean) {
  const page = await openBarePage(browser)
  try {
    await page.send('Page.enable')
    await page.send('Network.enable')
    await page.send('Emulation.setDeviceMetricsOverride', phone)
    await page.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    if (slow) await slowDown(page)
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${watch.toString()})()` })
    await sleep(settleMs)
    const traffic = watchTraffic(page)
    await page.send('Page.navigate', { url })
    while (performance.now() - traffic.lastAt() < quietMs) await sleep(lookEveryMs)
    const { result } = await page.send<{ result: { value?: ReturnType<typeof readWatch> } }>(
      'Runtime.evaluate',
      {
        expression: `(${readWatch.toString()})()`,
        returnByValue: true,
      },
    )
    if (!result.value) throw new Error('The page could not be asked')
    return { ...result.value, resources: traffic.resources() }
  } finally {
    await page.close()
  }
}

async function slowDown(page: BarePage): Promise<void> {
  const bytesPerSecond = (slowLine.megabits * 1_000_000) / 8
  await page.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: slowLine.latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  await page.send('Emulation.setCPUThrottlingRate', { rate: slowLine.cpuSlowdown })
}

interface ResponseReceived {
  requestId: string
  type: string
  response: { url: string; headers: Record<string, string> }
}

function watchTraffic(page: BarePage) {
  const resources = new Map<string, Resource>()
  let lastAt = performance.now()
  page.on('Network.responseReceived', ({ requestId, response, type }: ResponseReceived) => {
    lastAt = performance.now()
    const [, length] = Object.entries(response.headers).find(([name]) => /^content-length$/i.test(name)) ?? []
    resources.set(requestId, {
      path: new URL(response.url).pathname,
      type,
      bytes: 0,
      bodyBytes: Number(length),
    })
  })
  page.on('Network.loadingFinished', (loaded: { requestId: string; encodedDataLength: number }) => {
    lastAt = performance.now()
    const resource = resources.get(loaded.requestId)
    if (resource) resource.bytes = loaded.encodedDataLength
  })
  return { lastAt: () => lastAt, resources: () => [...resources.values()] }
}

/** Runs in the page before its own scripts. */
function watch() {
  const seen: Seen = { shift: 0, largestPaintMs: 0, longTasks: [] }
  Object.assign(globalThis, { benchSeen: seen })
  const observe = (type: string, note: (entry: PerformanceEntry & { value?: number }) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
  observe('layout-shift', (entry) => (seen.shift += entry.value ?? 0))
  observe('largest-contentful-paint', (entry) => (seen.largestPaintMs = entry.startTime))
  observe('longtask', ({ startTime, duration }) =>
    seen.longTasks.push({ start: startTime, end: startTime + duration }),
  )
}

/** Runs in the page. */
function readWatch() {
  const { benchSeen: seen } = globalThis as unknown as { benchSeen: Seen } // written by `watch`
  const firstPaintMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN
  const blockingAfter = (ms: number) =>
    seen.longTasks
      .map(({ start, end }) => end - Math.max(start, ms) - 50)
      .reduce((sum, blocked) => sum + Math.max(0, blocked), 0)
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[] // by that name
  return {
    firstPaintMs,
    largestPaintMs: seen.largestPaintMs,
    /** Cumulative layout shift. */
    shift: seen.shift,
    /** Time beyond 50 ms of each task after the first paint, and of every task. */
    blockingMs: blockingAfter(firstPaintMs),
    blockingInAllMs: blockingAfter(0),
    /** The number of files that arrived before the first paint. */
    beforeFirstPaint: 1 + files.filter(({ responseEnd }) => responseEnd <= firstPaintMs).length,
  }
}
