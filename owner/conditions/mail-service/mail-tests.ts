import { createHmac } from 'node:crypto'
import type { Config } from '#server/settings/config.ts'
import type { Database, Reader } from '#server/database/database.ts'
import { readSetting, writeSetting } from '#server/database/settings.ts'

/** One test mail, and what came of it. */
export interface MailTest {
  /** ms since 1970. */
  at: number
  isSent: boolean
  /** A sentence. */
  what: string
  /** The reply of the other side. */
  said: string
  /** Empty: it went. */
  why: string
  advice: string
  /** A hash of the service, the sender and the login that it was sent with. */
  sentWith: string
}

const setting = 'mail-tests'
const keptTests = 5

/** The newest first. */
export async function readMailTests(reader: Reader): Promise<MailTest[]> {
  return JSON.parse((await readSetting(reader, setting)) ?? '[]') // as keepMailTest wrote it
}

export function keepMailTest(database: Database, test: MailTest): Promise<void> {
  return database.transaction(async (transaction) => {
    await transaction.lock(setting)
    const tests = [test, ...(await readMailTests(transaction))].slice(0, keptTests)
    await writeSetting(transaction, setting, JSON.stringify(tests))
  })
}

/** Tells the mail settings apart, and nothing of them. The sender's name is that of the page. */
export function fingerprintOf(
  { smtpUrl, mailApi, mailFrom }: Pick<Config, 'smtpUrl' | 'mailApi' | 'mailFrom'>,
  secret: string,
): string {
  const settings = JSON.stringify([smtpUrl, mailApi, mailFrom.address])
  return createHmac('sha256', secret).update(`mail test ${settings}`).digest('base64url')
}

/** True once a test mail went with what is set up now. */
export function isProved(tests: readonly MailTest[], config: Config, secret: string): boolean {
  const now = fingerprintOf(config, secret)
  const newest = tests.find(({ sentWith }) => sentWith === now)
  return newest?.isSent ?? false
}
