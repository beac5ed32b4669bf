import type { Browser } from 'playwright-core'

export interface Visit {
  firstPaintMs: number
  largestPaintMs: number
  /** Cumulative layout shift. */
  shift: number
  blockingMs: number
  resources: Resource[]
  /** How many of them had come before the first paint. */
  beforeFirstPaint: number
}

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

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
export const slowLine = { latencyMs: 150, megabits: 1.6, cpuSlowdown: 4 }
const quietMs = 2_500

/** Opens the page in a fresh profile, over a slow line and with a slow processor if asked, and watches until nothing moves. */
export async function visit(browser: Browser, url: string, slow: boolean): Promise<Visit> {
  const context = await browser.newContext(phone)
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    if (slow) {
      const bytesPerSecond = (slowLine.megabits * 1_000_000) / 8
      await devtools.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: slowLine.latencyMs },
        ...{ downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond },
      })
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowLine.cpuSlowdown })
    }
    const resources = new Map<string, Resource>()
    devtools.on('Network.responseReceived', ({ requestId, response, type }) =>
      resources.set(requestId, {
        path: new URL(response.url).pathname,
        type,
        bytes: 0,
        bodyBytes: Number(response.headers['content-length']),
      }),
    )
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const resource = resources.get(requestId)
      if (resource) resource.bytes = encodedDataLength
    })
    await page.addInitScript(watch)
    await page.goto(url, { waitUntil: 'networkidle' })
    await page.waitForTimeout(quietMs)
    return { ...(await page.evaluate(readWatch)), resources: [...resources.values()] }
  } finally {
    await context.close()
  }
}

/** Runs in the page, before anything of it. */
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

/** Runs in the page. Blocking time: what of each task after the first paint goes beyond 50 ms. */
function readWatch() {
  const { benchSeen: seen } = globalThis as unknown as { benchSeen: Seen } // written by `watch`
  const firstPaintMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN
  const blocking = seen.longTasks.map(({ start, end }) => end - Math.max(start, firstPaintMs) - 50)
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[] // by that name
  return {
    firstPaintMs,
    largestPaintMs: seen.largestPaintMs,
    shift: seen.shift,
    blockingMs: blocking.reduce((sum, ms) => sum + Math.max(0, ms), 0),
    beforeFirstPaint: 1 + files.filter(({ responseEnd }) => responseEnd <= firstPaintMs).length,
  }
}
