import type { Page } from 'playwright-core'
import { launchBrowser } from '#rigs/browser.ts'
import { percentile } from '#rigs/http/load.ts'
import { type Bench, startBenchProduct } from './rig/bench.ts'
import { slowPhone } from './first-paint.ts'
import { inMs, measured, type Row } from './rig/rounds.ts'

/** A key press in "Try other lengths", until the frame with the new chart, on a slow phone. */
export async function benchLengths({ quick, folder }: Bench): Promise<Row[]> {
  await using product = await startBenchProduct(folder)
  await using browser = await launchBrowser()
  await using context = await browser.newContext({ ...slowPhone.device, baseURL: product.url })
  const page = await context.newPage()
  await page.goto('/')
  await page.dispatchEvent('body', 'pointerdown')
  await page.locator('#lengths button').click()
  await page.locator('input[name=fast]').waitFor()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowPhone.timesSlower })
  const presses: number[] = []
  for (let press = 0; press < (quick ? 4 : 60); press += 1) {
    const name = press % 2 === 0 ? 'fast' : 'slow'
    presses.push(await pressKey(page, name, press % 8 < 4 ? 'ArrowUp' : 'ArrowDown'))
  }
  const goal = { max: 50 }
  return [
    measured('key press to the chart, median', percentile(presses, 0.5), inMs, goal),
    measured('key press to the chart, slowest in ten', percentile(presses, 0.9), inMs, goal),
  ]
}

/** Returns the time from the key to the end of the next frame's work, in ms. */
async function pressKey(page: Page, name: string, key: string): Promise<number> {
  const field = page.locator(`input[name=${name}]`)
  await field.focus()
  const watch = await field.evaluateHandle((input) => ({
    took: new Promise<number>((resolve) => {
      const listen = ({ timeStamp }: Event) =>
        requestAnimationFrame(() => {
          const channel = new MessageChannel() // its message comes once the frame is painted
          channel.port1.addEventListener('message', () => resolve(performance.now() - timeStamp))
          channel.port1.start()
          channel.port2.postMessage('')
        })
      input.addEventListener('keydown', listen, { once: true })
    }),
  }))
  await page.keyboard.press(key)
  return watch.evaluate(({ took }) => took)
}
