import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SmtpInbox, startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import {
  type LaunchOptions,
  type Installation,
  launchProduct,
  newInstallation,
  type Product,
  startProduct,
} from '#rigs/product.ts'
import { accountFor, type Counts, type Evidence } from './account.ts'
import { type Crowd, type CrowdOptions, startCrowd } from './crowd.ts'
import { type DeliveryRecord, readDeliveriesAfterCrash, untilNothingIsPending } from './records.ts'

/**
 * short: seconds, no figure that depends on the speed of the machine. long: what `npm run drill`
 * does.
 */
export type Form = 'short' | 'long'

export interface Outcome {
  /** Absent if nobody signed up. */
  counts?: Counts
  /** The broken promises, in words. Empty: the drill passed. */
  broken: string[]
  /** Further figures. */
  notes: string[]
}

/** Several outcomes, one for each stage, are added up. */
export type Drill = (form: Form) => Promise<Outcome | Outcome[]>

/** Thrown by a drill that cannot run on this machine. */
export class Skipped extends Error {}

/** An installation that sends its mail to the stage's mailbox. */
export interface Site extends Installation {
  /** Does not wait until it listens. */
  launch(options?: LaunchOptions): Product
  /** Launches it and waits until it listens. */
  start(options?: LaunchOptions): Promise<Product>
}

/** How the end of a drill differs from that of most. */
export interface SettleOptions {
  /** Default: the site's. */
  database?: string
  /** For the last mail. Default: 3 minutes. */
  withinMs?: number
  /** Default: everybody who was told on this stage that the address is new. */
  acknowledged?: Evidence['acknowledged']
  /** Default: the attempts that `noteInterruptions` counted. */
  interrupted?: Evidence['interrupted']
  /** Default: nobody. */
  unsent?: Evidence['unsent']
  /** Default: false. */
  onlyListed?: boolean
}

/**
 * Runs `drill` in a new folder. If the drill throws, the folder stays for inspection. `label` tells
 * stages of one drill apart.
 */
export async function onStage(
  drill: (stage: Stage) => Promise<void>,
  label = '',
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-drill-'))
  const mailbox = await startSmtpInbox()
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const stage = new Stage(await makeSite(folder, mailbox), mailbox)
    await drill(stage)
    remove()
    const { counts, broken, notes } = stage
    return { ...(counts && { counts }), broken: broken.map((fault) => `${label}${fault}`), notes }
  } catch (cause) {
    if (!(cause instanceof Skipped)) {
      throw new Error(`The drill failed; its files are in ${folder}`, { cause })
    }
    remove()
    throw cause
  } finally {
    await mailbox.close()
  }
}

/** A mailbox, a site, and what the drill found. */
export class Stage implements Outcome {
  counts?: Counts
  readonly broken: string[] = []
  readonly notes: string[] = []
  readonly mailbox: SmtpInbox
  readonly site: Site
  readonly #crowds: Crowd[] = []
  /** By Message-ID: attempts that a kill interrupted, and the copies that the mailbox had then. */
  readonly #interruptions = new Map<string, number>()
  readonly #copiesSeen = new Map<string, number>()

  constructor(site: Site, mailbox: SmtpInbox) {
    this.site = site
    this.mailbox = mailbox
  }

  /** Further instances with a common database. */
  sites(count: number, databaseUrl: string): Promise<Site[]> {
    const folders = Array.from({ length: count }, (_, index) =>
      join(this.site.folder, String(index + 1)),
    )
    // One public address, as behind a load balancer: it stands in every mail.
    const shared = { DATABASE_URL: databaseUrl, PUBLIC_URL: this.site.url }
    return Promise.all(folders.map((folder) => makeSite(folder, this.mailbox, shared)))
  }

  /** People who sign up, of the site or of another instance, until `settle` at the latest. */
  crowd(options: CrowdOptions, url = this.site.url): Crowd {
    const crowd = startCrowd(url, options)
    this.#crowds.push(crowd)
    return crowd
  }

  /** Returns true if a sign-up is accepted now. */
  async signUp(): Promise<boolean> {
    const one = this.crowd({ connections: 1, count: 1 })
    await one.finished
    return one.acknowledged.size === 1
  }

  expect(holds: boolean, fault: string): void {
    if (!holds) this.broken.push(fault)
  }

  /** `fault` follows the count in words. */
  expectNone(count: number, fault: string): void {
    this.expect(count === 0, `${count} ${fault}`)
  }

  note(figures: string): void {
    this.notes.push(figures)
  }

  /**
   * After each kill: counts the attempts that it interrupted, which alone may go out again. Returns
   * what the crash left.
   */
  async noteInterruptions(database = this.site.databaseFile): Promise<DeliveryRecord[]> {
    await this.mailbox.idle()
    const deliveries = await readDeliveriesAfterCrash(database)
    const copies = Map.groupBy(this.mailbox.mails, ({ messageId }) => messageId)
    for (const { messageId, state } of deliveries) {
      const kept = copies.get(messageId)?.length ?? 0
      // The mailbox has a further copy, and the database does not say so.
      if (kept <= (this.#copiesSeen.get(messageId) ?? 0) || state === 'sent') continue
      this.#interruptions.set(messageId, (this.#interruptions.get(messageId) ?? 0) + 1)
      this.#copiesSeen.set(messageId, kept)
    }
    return deliveries
  }

  interrupted(): number {
    return this.#interruptions.values().reduce((sum, count) => sum + count, 0)
  }

  /**
   * The end of a drill. Stops the crowds, waits until no mail is pending, ends the products, and
   * compares the acknowledged sign-ups with the rows, and the rows with the mails. Resolves to the
   * moment when no mail was pending any more.
   */
  async settle(products: readonly Product[], options: SettleOptions = {}): Promise<number> {
    const { database = this.site.databaseFile, withinMs = 180_000 } = options
    await Promise.all(this.#crowds.map((crowd) => crowd.stop()))
    await untilNothingIsPending(database, withinMs)
    const deliveredAt = performance.now()
    const exits = await Promise.all(products.map((product) => product.terminate()))
    await this.mailbox.idle()
    const noted = (messageId: string) => this.#interruptions.get(messageId) ?? 0
    const told = this.#crowds.flatMap((crowd) => [...crowd.acknowledged])
    const { counts, broken } = await accountFor(database, this.mailbox.mails, {
      acknowledged: options.acknowledged ?? new Set(told),
      interrupted: options.interrupted ?? noted,
      unsent: options.unsent ?? new Set(),
      onlyListed: options.onlyListed ?? false,
    })
    this.counts = counts
    this.broken.push(...broken)
    const refusals = this.#crowds.flatMap(({ refused }) => refused)
    this.expectNone(
      refusals.filter(({ status }) => status !== 503).length,
      'answers were neither 200 nor 503',
    )
    const codes = exits.map(({ code }) => code)
    this.expect(!codes.some((code) => code !== 0), `products exited with ${codes.join()}`)
    return deliveredAt
  }
}

/** The site has no ceilings unless an environment sets them. */
async function makeSite(
  folder: string,
  mailbox: SmtpInbox,
  more: Record<string, string> = {},
): Promise<Site> {
  mkdirSync(folder, { recursive: true })
  const installation = await newInstallation(folder)
  const environment = {
    SMTP_URL: mailbox.url,
    LIMIT_ADDRESS_PER_DAY: 'off',
    LIMIT_SITE_MAILS_PER_HOUR: 'off',
    ...more,
  }
  const withEnvironment = (options: LaunchOptions = {}) => ({
    ...options,
    environment: { ...environment, ...options.environment },
  })
  return {
    ...installation,
    launch: (options) => launchProduct(installation, withEnvironment(options)),
    start: (options) => startProduct(installation, withEnvironment(options)),
  }
}

/** The outcome of a part of a drill that needs a PostgreSQL, where there is none. */
export function leftOut(part: string): Outcome {
  return { broken: [], notes: [`${part}: left out, because this machine has no PostgreSQL`] }
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/**
 * Modules to load into a product after its worker was killed. The long form waits until the
 * leases of the dead worker end, 45 s later. In the short one the clock is a minute ahead, so that
 * the same comparison ends them at once.
 */
export function afterTheLeases(form: Form): URL[] {
  return form === 'short' ? [new URL('fast-clock.ts', import.meta.url)] : []
}
