// node lab/journeys/take-readme-picture.ts: takes the picture at the top of the README from the running page.
import { join } from 'node:path'
import { launchBrowser } from '../rigs/browser.ts'
import { findPlace, startProduct } from '../rigs/product.ts'

const product = await startProduct(await findPlace())
const browser = await launchBrowser()
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
await page.goto(product.url)
await page.evaluate(() => document.fonts.ready)
await page.screenshot({ path: join(import.meta.dirname, '../../docs/landing-page.png') })
await browser.close()
await product.stop()
