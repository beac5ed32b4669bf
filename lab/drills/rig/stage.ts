import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type PostgresServer, startPostgresServer } from '#rigs/database/postgres-server.ts'
import { type ReceivedMail, type SmtpInbox, startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import {
  findPlace,
  type LaunchOptions,
  launchProduct,
  type Product,
  type ProductPlace,
  root,
} from '#rigs/product.ts'
import { accountFor, type Counts, type Evidence } from './account.ts'
import { type DeliveryRecord, readDeliveriesAfterCrash, untilNothingIsOwed } from './records.ts'

/** short: seconds, no figure that depends on the speed of the machine. long: what `npm run drill` does. */
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

/** The place of one product, which sends its mail to the stage's mailbox. */
export interface Site {
  place: ProductPlace
  /** Does not wait until the product listens. */
  launch(options?: LaunchOptions): Product
  start(options?: LaunchOptions): Promise<Product>
}

/** A mailbox, a site, and what the drill found. */
export interface Stage extends Site, Outcome {
  mailbox: SmtpInbox
  /** Further instances with a common database. */
  sites(count: number, databaseUrl: string): Promise<Site[]>
  expect(holds: boolean, fault: string): void
  /** `fault` follows the count in words. */
  expectNone(count: number, fault: string): void
  note(figures: string): void
  /** After each kill: counts the attempts that it interrupted, which alone may go out again. Returns what the crash left. */
  noteInterruptions(database?: string): Promise<DeliveryRecord[]>
  interrupted(): number
  /**
   * The end of a drill. Waits until no mail is owed, ends the products, and compares the acknowledged sign-ups with the rows,
   * and the rows with the mails. Resolves to the moment when no mail was owed any more.
   */
  settle(products: readonly Product[], evidence: Evidence): Promise<number>
}

export const metricsToken = 'token-of-the-drills-0123456789'

/** Runs `drill` in a new folder. If the drill throws, the folder stays for inspection. */
export async function onStage(drill: (stage: Stage) => Promise<void>): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-drill-'))
  const mailbox = await startSmtpInbox()
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const stage = makeStage(await makeSite(folder, mailbox), mailbox)
    await drill(stage)
    remove()
    return stage
  } catch (cause) {
    if (!(cause instanceof Skipped))
      throw new Error(`The drill failed; its files are in ${folder}`, { cause })
    remove()
    throw cause
  } finally {
    await mailbox.close()
  }
}

function makeStage(site: Site, mailbox: SmtpInbox): Stage {
  const interruptions = new Map<string, number>() // by Message-ID
  const copiesSeen = new Map<string, number>()
  const stage: Stage = {
    ...site,
    mailbox,
    broken: [],
    notes: [],
    sites: (count, databaseUrl) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          makeSite(join(site.place.folder, String(index + 1)), mailbox, { DATABASE_URL: databaseUrl }),
        ),
      ),
    expect: (holds, fault) => void (holds || stage.broken.push(fault)),
    expectNone: (count, fault) => stage.expect(count === 0, `${count} ${fault}`),
    note: (figures) => void stage.notes.push(figures),
    interrupted: () => [...interruptions.values()].reduce((sum, count) => sum + count, 0),
    async noteInterruptions(database = site.place.databaseFile) {
      await mailbox.idle()
      const deliveries = await readDeliveriesAfterCrash(database)
      for (const id of newlyInterrupted(deliveries, mailbox.mails, copiesSeen))
        interruptions.set(id, (interruptions.get(id) ?? 0) + 1)
      return deliveries
    },
    async settle(products, { withinMs = 180_000, database = site.place.databaseFile, ...evidence }) {
      await untilNothingIsOwed(database, withinMs)
      const deliveredAt = performance.now()
      const exits = await Promise.all(products.map((product) => product.terminate()))
      await mailbox.idle()
      const interrupted = (messageId: string) => interruptions.get(messageId) ?? 0
      const { counts, broken } = await accountFor(database, mailbox.mails, { interrupted, ...evidence })
      stage.counts = counts
      stage.broken.push(...broken)
      stage.expectNone(exits.filter(({ code }) => code !== 0).length, 'products did not exit with 0')
      return deliveredAt
    },
  }
  return stage
}

/** The mailbox has a further copy of these, and the database does not say so. `copiesSeen`: by Message-ID, at earlier kills. */
function newlyInterrupted(
  deliveries: readonly DeliveryRecord[],
  mails: readonly ReceivedMail[],
  copiesSeen: Map<string, number>,
): string[] {
  const copies = Map.groupBy(mails, ({ messageId }) => messageId)
  return deliveries.flatMap(({ messageId, state }) => {
    const kept = copies.get(messageId)?.length ?? 0
    if (kept <= (copiesSeen.get(messageId) ?? 0) || state === 'sent') return []
    copiesSeen.set(messageId, kept)
    return [messageId]
  })
}

/** Without ceilings, unless an environment sets them. */
async function makeSite(
  folder: string,
  mailbox: SmtpInbox,
  more: Record<string, string> = {},
): Promise<Site> {
  mkdirSync(folder, { recursive: true })
  const place = await findPlace(folder)
  const environment = {
    SMTP_URL: mailbox.url,
    METRICS_TOKEN: metricsToken,
    LIMIT_ADDRESS_PER_DAY: 'off',
    LIMIT_SITE_MAILS_PER_HOUR: 'off',
    ...more,
  }
  const launch = (options: LaunchOptions = {}) =>
    launchProduct(place, { ...options, environment: { ...environment, ...options.environment } })
  return {
    place,
    launch,
    async start(options) {
      const product = launch(options)
      await product.ready()
      return product
    },
  }
}

export async function needPostgres(): Promise<PostgresServer> {
  const server = await startPostgresServer({ fsync: true })
  if (!server) throw new Skipped('there is no PostgreSQL on this machine')
  return server
}

/** Runs the owner's real command line in a process of its own. Throws if it ends with another code than 0. */
export async function runOwner({ databaseFile }: ProductPlace, ...words: string[]): Promise<void> {
  const { PATH, HOME, TMPDIR } = process.env
  const env = { PATH, HOME, TMPDIR, DATABASE_URL: `file:${databaseFile}` }
  await promisify(execFile)(process.execPath, ['owner/command-line/main.ts', ...words], { cwd: root, env })
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
