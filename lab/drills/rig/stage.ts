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

/** Without ceilings, unless `environment` sets them. */
export async function makeStage(folder: string, mailbox: SmtpInbox): Promise<Stage> {
  const place = await findPlace(folder)
  const environment = {
    SMTP_URL: mailbox.url,
    METRICS_TOKEN: metricsToken,
    LIMIT_ADDRESS_PER_DAY: 'off',
    LIMIT_SITE_MAILS_PER_HOUR: 'off',
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

/** One of several instances on a PostgreSQL. Their mail goes to the stage's mailbox. */
export async function startInstance({ place, mailbox }: Stage, number: number, databaseUrl: string) {
  const own = join(place.folder, String(number))
  mkdirSync(own)
  const { start } = await makeStage(own, mailbox)
  return start({ environment: { DATABASE_URL: databaseUrl } })
}

/** Runs the owner's real command line in a process of its own. Throws if it ends with another code than 0. */
export async function runOwner({ databaseFile }: ProductPlace, ...words: string[]): Promise<void> {
  const { PATH, HOME, TMPDIR } = process.env
  const env = { PATH, HOME, TMPDIR, DATABASE_URL: `file:${databaseFile}` }
  await promisify(execFile)(process.execPath, ['owner/command-line/main.ts', ...words], { cwd: root, env })
}
