import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  type Product,
  type ProductPlace,
  findPlace,
  type LaunchOptions,
  launchProduct,
  root,
} from '#rigs/product.ts'
import { type SmtpInbox, startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'

/** A mailbox, and a folder for one product that sends its mail there. */
export interface Stage {
  place: ProductPlace
  mailbox: SmtpInbox
  /** Does not wait until the product listens. */
  launch(options?: LaunchOptions): Product
  start(options?: LaunchOptions): Promise<Product>
}

export const metricsToken = 'token-of-the-drills-0123456789'

/** Runs `drill` in a new folder. If the drill throws, the folder stays for inspection. */
export async function onStage<Result>(drill: (stage: Stage) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-drill-'))
  const mailbox = await startSmtpInbox()
  try {
    const result = await drill(await makeStage(folder, mailbox))
    rmSync(folder, { recursive: true, force: true })
    return result
  } catch (cause) {
    throw new Error(`The drill failed; its files are in ${folder}`, { cause })
  } finally {
    await mailbox.close()
  }
}

/** Without ceilings, unless an environment sets them. */
async function makeStage(
  folder: string,
  mailbox: SmtpInbox,
  more: Record<string, string> = {},
): Promise<Stage> {
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
    mailbox,
    launch,
    async start(options) {
      const product = launch(options)
      await product.ready()
      return product
    },
  }
}

/** The stage of one of several instances on a PostgreSQL. Their mail goes to the common mailbox. */
export function stageOfInstance({ place, mailbox }: Stage, number: number, databaseUrl: string) {
  const folder = join(place.folder, String(number))
  mkdirSync(folder)
  return makeStage(folder, mailbox, { DATABASE_URL: databaseUrl })
}

export async function startInstances(stage: Stage, count: number, databaseUrl: string): Promise<Product[]> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  return Promise.all(
    numbers.map(async (number) => (await stageOfInstance(stage, number, databaseUrl)).start()),
  )
}

/** Runs the owner's real command line in a process of its own. Throws if it ends with another code than 0. */
export async function runOwner({ databaseFile }: ProductPlace, ...words: string[]): Promise<void> {
  const { PATH, HOME, TMPDIR } = process.env
  const env = { PATH, HOME, TMPDIR, DATABASE_URL: `file:${databaseFile}` }
  await promisify(execFile)(process.execPath, ['owner/command-line/main.ts', ...words], { cwd: root, env })
}
