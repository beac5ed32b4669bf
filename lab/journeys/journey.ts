import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { launchBrowser } from '../rigs/browser.ts'
import { findPlace, type Product, startProduct } from '../rigs/product.ts'
import { type SmtpInbox, startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'

export interface Journey {
  product: Product
  inbox: SmtpInbox
  /** An empty page of a new visitor, closed with the test. */
  open(options?: BrowserContextOptions): Promise<Page>
  /** Opens such a page at an address and waits until it is hydrated. */
  visit(path: string, options?: BrowserContextOptions): Promise<Page>
}

/** One server, one mailbox, one browser for the tests of a file. */
export function startJourney(environment: Record<string, string> = {}, launch = launchBrowser): Journey {
  let product: Product | undefined
  let inbox: SmtpInbox | undefined
  let browser: Browser | undefined

  beforeAll(async () => {
    inbox = await startSmtpInbox()
    product = await startProduct(await findPlace(), { environment: { SMTP_URL: inbox.url, ...environment } })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
    await inbox?.close()
  })

  async function open(options?: BrowserContextOptions): Promise<Page> {
    const context = await started(browser).newContext({ baseURL: started(product).url, ...options })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    return page
  }

  return {
    get product() {
      return started(product)
    },
    get inbox() {
      return started(inbox)
    },
    open,
    async visit(path, options) {
      const page = await open(options)
      await page.goto(path)
      if (options?.javaScriptEnabled !== false) await hydrate(page)
      return page
    },
  }
}

/** The page hydrates when idle, or at the first gesture, so that the test need not wait. */
export async function hydrate(page: Page): Promise<void> {
  await page.dispatchEvent('body', 'pointerdown')
  await page.locator('#app[data-hydrated]').waitFor()
}

export interface SignUpForm {
  form: Locator
  field: Locator
  button: Locator
}

export function heroForm(page: Page): SignUpForm {
  return formAt(page, 0)
}

export function bottomForm(page: Page): SignUpForm {
  return formAt(page, 1)
}

function formAt(page: Page, place: number): SignUpForm {
  const form = page.locator('form').nth(place)
  return { form, field: form.locator('input[name=email]'), button: form.locator('button[type=submit]') }
}

export async function signUp({ field, button }: SignUpForm, address: string): Promise<void> {
  await field.fill(address)
  await button.click()
}

/** The errors and policy violations that the page logs from now on. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (fault) => complaints.push(String(fault)))
  return complaints
}

/** The violations of WCAG 2.2 AA and of axe's best practices: each rule, and where. */
export async function violations(page: Page): Promise<string[]> {
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(axe.source)
  // The rules that pass have a node for each element of the page: they are neither described nor handed over.
  const run = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`
  const found = await page.evaluate<axe.Result[]>(run)
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`))
}

/** Takes every animation to its end: the contrast of a fading toast is not the one that people read. */
export async function finishAnimations(page: Page): Promise<void> {
  await page.evaluate(() =>
    document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
      .forEach((animation) => animation.finish()),
  )
}

let addresses = 0
/** An address that has not signed up before. */
export function newAddress(): string {
  return `visitor-${++addresses}@example.com`
}

/** The path of a picture to look at, for example after a failure. */
export function artefact(name: string): string {
  const folder = join(import.meta.dirname, '../../test-artefacts')
  mkdirSync(folder, { recursive: true })
  return join(folder, name)
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('The journey has not started')
  return part
}
