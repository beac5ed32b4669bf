import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '#rigs/browser.ts'
import { serveHttp } from '#rigs/listening.ts'
import { type Bench, startBenchProduct } from './rig/bench.ts'
import { compare, inMs, type Row, takeRounds } from './rig/rounds.ts'

/** A slow phone: Lighthouse's line, and a processor that is four times slower. */
export const slowPhone = {
  line: { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 },
  timesSlower: 4,
  device: {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  },
}

interface Paints {
  first: number
  largest: number
}

/**
 * The first paint of the landing page, beside that of the same page without its script (then
 * nothing loads the font).
 */
export async function benchFirstPaint({ quick, folder, beside }: Bench): Promise<Row[]> {
  await using started = new AsyncDisposableStack()
  const browser = started.use(await launchBrowser())
  const pagesOf = async (name: string, checkout?: string) => {
    const product = started.use(await startBenchProduct(join(folder, name), {}, checkout))
    return started.use(await servePages(product.url)).url
  }
  const url = await pagesOf('ours')
  const runs: Record<string, () => Promise<Paints>> = {
    ours: () => paint(browser, `${url}/`),
    bare: () => paint(browser, `${url}/without-script`),
  }
  if (beside !== undefined) {
    const other = await pagesOf('beside', beside)
    runs['beside'] = () => paint(browser, `${other}/`)
  }
  await takeRounds(1, runs)
  const { ours = [], bare = [], beside: others } = await takeRounds(quick ? 2 : 15, runs)
  const first = { of: (one: Paints) => one.first, show: inMs }
  const largest = { of: (one: Paints) => one.largest, show: inMs }
  return [
    compare('first paint', first, ours, ['without script', bare], { max: 1.15 }),
    compare('largest paint', largest, ours, ['without script', bare], { max: 1.15 }),
    ...(others ? [compare('first paint', first, ours, ['beside', others], { max: 1.05 })] : []),
  ]
}

/**
 * Both pages come from one plain server, compressed as the product sends them: on a slow line the
 * bytes of a page count. All other files come from the product.
 */
async function servePages(productUrl: string) {
  const page = await fetch(productUrl)
  const policy = page.headers.get('content-security-policy') ?? ''
  const html = await page.text()
  // Data (JSON-LD) stays: no browser runs it.
  const bare = html.replaceAll(/<script(?![^>]*ld\+json)[^>]*>[^]*?<\/script>/g, '')
  if (bare === html) throw new Error('The page has no script to take out')
  const pages: Record<string, Buffer> = {
    '/': brotliCompressSync(html),
    '/without-script': brotliCompressSync(bare),
  }
  const { url, close } = await serveHttp(async (request, response) => {
    const sent = pages[request.url ?? '']
    if (sent !== undefined) {
      return void response
        .writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          'content-encoding': 'br',
          'content-security-policy': policy,
        })
        .end(sent)
    }
    const file = await fetch(productUrl + request.url)
    response.writeHead(file.status, { 'content-type': file.headers.get('content-type') ?? '' })
    response.end(Buffer.from(await file.arrayBuffer()))
  })
  return { url, [Symbol.asyncDispose]: close }
}

async function paint(browser: Browser, url: string): Promise<Paints> {
  await using context = await browser.newContext(slowPhone.device)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slowPhone.line)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowPhone.timesSlower })
  await page.goto(url, { waitUntil: 'networkidle' })
  return await page.evaluate(
    () =>
      new Promise<Paints>((resolve) => {
        const [first] = performance.getEntriesByName('first-contentful-paint')
        new PerformanceObserver((list) =>
          resolve({
            first: first?.startTime ?? NaN,
            largest: list.getEntries().at(-1)?.startTime ?? NaN,
          }),
        ).observe({ type: 'largest-contentful-paint', buffered: true })
      }),
  )
}
