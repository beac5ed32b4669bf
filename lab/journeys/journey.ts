import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { landingPage } from '#content/pages/landing-page.ts'
import { signUpPath } from '#contract/sign-up.ts'
import { sampleRun } from '#site/chart/sample-run.ts'
import { ownerOf } from '#rigs/owner/owner-commands.ts'
import { launchBrowser } from '../rigs/browser.ts'
import { newInstallation, noDns, type Product, startProduct } from '../rigs/product.ts'
import { type SmtpInbox, startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { fill } from '#site/text/fill.ts'

export interface Journey {
  product: Product
  inbox: SmtpInbox
  /** An empty page of a new visitor, closed with the test. */
  open(options?: BrowserContextOptions): Promise<Page>
  /**
   * An empty page of somebody who has been here before, closed with the test: the tests of a file
   * share a browser context for each `who` and options, whose pages start in half the time.
   * `prepare`: called once with each.
   */
  openAgain(
    who: string,
    options?: BrowserContextOptions,
    prepare?: (context: BrowserContext) => Promise<void>,
  ): Promise<Page>
  /**
   * The page of that context which stays open, as the test before left it: what need not be loaded
   * again costs a third.
   */
  samePage(...visitor: Parameters<Journey['openAgain']>): Promise<Page>
  /** Opens a page at an address and waits until it is hydrated. */
  visit(path: string, options?: VisitOptions): Promise<Page>
  /** Signs up without a browser. Returns the mail's text and the URL of the personal page in it. */
  signUpByPost(address?: string): Promise<{ address: string; text: string; kit: string }>
}

export interface VisitOptions extends BrowserContextOptions {
  /** For a test that changes the clock or the cookies, which all pages of a context share. */
  isNew?: boolean
}

export const owner = 'owner@example.com'

interface Started {
  product: Product
  inbox: SmtpInbox
}

// Browser and server end with the process: all files share them.
const browsers = new Map<typeof launchBrowser, Promise<Browser>>()
let sharedServer: Promise<Started> | undefined

async function start(environment: Record<string, string>): Promise<Started> {
  const inbox = await startSmtpInbox()
  const product = await startProduct(await newInstallation(), {
    preload: [noDns],
    environment: { SMTP_URL: inbox.url, ...environment },
  })
  return { product, inbox }
}

async function startShared(): Promise<Started> {
  const started = await start({ OWNER_EMAIL: owner })
  process.once('exit', () => rmSync(started.product.folder, { recursive: true, force: true }))
  return started
}

/**
 * The server that all files share, with a mailbox: each test signs up new addresses. With an
 * `environment` the file has a server of its own.
 */
export function startJourney(
  environment?: Record<string, string>,
  launch = launchBrowser,
): Journey {
  let browser: Browser
  const { open, openAgain, samePage, close } = visitorsOf((options) =>
    browser.newContext({ baseURL: journey.product.url, ...options }),
  )
  const signUpByPost = (address = newAddress()) => postSignUp(journey, address)
  // The other two are added before the first test.
  const journey = { open, openAgain, samePage, visit, signUpByPost } as Journey

  beforeAll(async () => {
    const started = environment ? start(environment) : (sharedServer ??= startShared())
    Object.assign(journey, await started)
    const launched = browsers.get(launch) ?? launch()
    browsers.set(launch, launched)
    browser = await launched
  })
  afterAll(async () => {
    await close()
    if (!environment) return
    await journey.product?.stop()
    await journey.inbox?.close()
  })

  async function visit(path: string, { isNew, ...options }: VisitOptions = {}): Promise<Page> {
    const page = isNew ? await open(options) : await openAgain('visitor', options)
    await page.goto(path)
    if (options.javaScriptEnabled !== false) await hydrate(page)
    return page
  }

  return journey
}

/** The browser contexts that the tests of a file share. `close` closes them. */
function visitorsOf(newContext: (options?: BrowserContextOptions) => Promise<BrowserContext>) {
  /** The first page of each context, in whose process the next ones start. */
  const shared = new Map<string, Promise<Page>>()

  async function newPage(context: BrowserContext): Promise<Page> {
    const page = await context.newPage()
    page.setDefaultTimeout(250_000) // for a busy machine
    return page
  }

  async function newVisitor(
    options: BrowserContextOptions,
    prepare?: (context: BrowserContext) => Promise<void>,
  ): Promise<Page> {
    const context = await newContext(options)
    await prepare?.(context)
    const page = await newPage(context)
    await page.goto('/healthz')
    return page
  }

  function samePage(...[who, options = {}, prepare]: Parameters<Journey['openAgain']>) {
    const name = `${who} ${JSON.stringify(options)}`
    const page = shared.get(name) ?? newVisitor(options, prepare)
    shared.set(name, page)
    return page
  }

  return {
    samePage,
    async open(options?: BrowserContextOptions): Promise<Page> {
      const context = await newContext(options)
      onTestFinished(() => context.close())
      return newPage(context)
    },
    async openAgain(...visitor: Parameters<Journey['openAgain']>) {
      const page = await newPage((await samePage(...visitor)).context())
      onTestFinished(() => page.close())
      return page
    },
    async close() {
      for (const page of shared.values()) await (await page).context().close()
    },
  }
}

async function postSignUp({ product, inbox }: Journey, address: string) {
  const body = new URLSearchParams({ email: address })
  const answer = await fetch(product.url + signUpPath, { method: 'POST', body })
  if (!answer.ok) throw new Error(`The sign-up was answered with ${answer.status}`)
  const [received] = await inbox.arrival(1, address)
  const { text = '' } = await PostalMime.parse(received?.raw ?? '')
  return { address, text, kit: /\S+\/kit\/[\w-]{22}$/m.exec(text)?.[0] ?? '' }
}

/** The link that `owner desk-link` prints. */
export async function deskLink({ product }: Journey): Promise<string> {
  const settings = { OWNER_EMAIL: owner, PUBLIC_URL: product.url }
  const run = ownerOf(`file:${product.databaseFile}`, settings, { now: Date.now })
  return (await run('desk-link')).printed.trim()
}

/** The first link of a server without an owner: its log has the path. */
export async function openStartLink(journey: Journey): Promise<Page> {
  const page = await journey.open()
  const link = () => /\/desk\/start#\S+/.exec(journey.product.printed())?.[0] ?? ''
  await expect.poll(link).not.toBe('')
  await page.goto(link())
  return page
}

/** Signed in without its page, at a view of the desk. */
export async function openDesk(
  journey: Journey,
  path = '',
  { isNew, ...options }: VisitOptions = {},
): Promise<Page> {
  const signIn = async ({ request }: BrowserContext) => {
    const secret = new URL(await deskLink(journey)).hash.slice(1)
    const headers = { origin: journey.product.url, 'content-type': 'application/json' }
    const answer = await request.post('/desk/api/signIn.byLink', {
      data: `"${secret}"`,
      headers,
    })
    if (!answer.ok()) throw new Error(`The sign-in was answered with ${answer.status()}`)
  }
  const page = isNew
    ? await journey.open(options)
    : await journey.openAgain('owner', options, signIn)
  if (isNew) await signIn(page.context())
  await page.goto(`/desk/${path}`)
  return page
}

/**
 * Matches only a page whose script runs: the landing page's form is checked by us. The 404 page has
 * nothing to start.
 */
export const startedPage = 'form[novalidate], #app[data-hydrated], #app[data-page$=not-found]'

/** The page's script starts when idle, or at the first gesture, so that the test need not wait. */
export async function hydrate(page: Page): Promise<void> {
  await page.dispatchEvent('body', 'pointerdown')
  await page.locator(startedPage).first().waitFor()
}

/** The page behind the link of a new mail, once its script has started. */
export async function openPersonalPage(
  journey: Journey,
  options: BrowserContextOptions = {},
  prepare?: (page: Page) => Promise<unknown>,
) {
  const { address, kit } = await journey.signUpByPost()
  const page = await journey.openAgain('visitor', options)
  await prepare?.(page)
  await page.goto(kit)
  if (options.javaScriptEnabled !== false) await page.locator('#app[data-hydrated]').waitFor()
  return { page, address }
}

export const heroForm = (page: Page) => formAt(page, 0)
export const bottomForm = (page: Page) => formAt(page, 1)

function formAt(page: Page, index: number) {
  const form = page.locator('form').nth(index)
  return {
    form,
    field: form.locator('input[name=email]'),
    button: form.locator('button[type=submit]'),
  }
}

export async function signUp(
  { field, button }: ReturnType<typeof formAt>,
  address: string,
): Promise<void> {
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
  // The rules that pass have a node for each element of the page: they are neither described nor
  // handed over.
  const run = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`
  const found = await page.evaluate<axe.Result[]>(run)
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`))
}

/**
 * Takes every animation to its end: the contrast of a fading toast is not the one that people read.
 */
export async function finishAnimations(page: Page): Promise<void> {
  await page.evaluate(() =>
    document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
      .forEach((animation) => animation.finish()),
  )
}

/** A term of the legend above our chart, and its explanation. */
export function legendTerm(line: 'fast' | 'slow'): { term: string; tip: string } {
  const { term, tip } = landingPage.chart[line]
  const values = { length: String(sampleRun.lengths[line]) }
  return { term: fill(term, values), tip: fill(tip, values) }
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
