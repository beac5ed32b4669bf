import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { eventually } from '#rigs/eventually.ts'
import { testApp } from '#rigs/server/test-app.ts'
import { type Config, readSettings } from './config.ts'
import type { Database } from '../database/database.ts'
import { writeSetting } from '../database/settings.ts'
import {
  readSiteSettings,
  type StoredSettings,
  type StoredVariable,
  writeSiteSettings,
} from './site-settings.ts'

const stored: StoredSettings = {
  PUBLIC_URL: 'https://bot.example',
  OWNER_EMAIL: 'mara@bot.example',
  SMTP_URL: 'smtp://relay.example',
  MAIL_FROM: 'Tide Bot <tide@bot.example>',
  SUPPORT_EMAIL: 'help@bot.example',
}
const asApi = { SMTP_URL: undefined, MAIL_API: 'resend', MAIL_API_KEY: 'key' }
const asSmtp = { SMTP_URL: 'smtp://relay.example', MAIL_API: undefined, MAIL_API_KEY: undefined }

function environment(variables: Record<string, string> = {}): Config {
  const read = readSettings({ NODE_ENV: 'production', ...variables })
  if ('faults' in read) throw new Error(read.faults.join('\n'))
  return read.config
}

async function databaseWith(values: StoredSettings): Promise<Database> {
  const { database } = await temporaryDatabase()
  await database.transaction((transaction) => writeSiteSettings(transaction, values))
  return database
}

const shown = ({ publicUrl, ownerEmail, smtpUrl, mailFrom, supportEmail }: Config) => ({
  PUBLIC_URL: publicUrl,
  OWNER_EMAIL: ownerEmail,
  SMTP_URL: smtpUrl,
  MAIL_FROM: `${mailFrom.name} <${mailFrom.address}>`,
  SUPPORT_EMAIL: supportEmail,
})

test.each<[StoredVariable, StoredVariable[], string]>([
  ['PUBLIC_URL', ['PUBLIC_URL'], 'bot.example/page'],
  ['OWNER_EMAIL', ['OWNER_EMAIL'], 'mara'],
  ['SMTP_URL', ['SMTP_URL'], 'lmtp://relay.example'],
  ['MAIL_API', ['SMTP_URL', 'MAIL_API'], 'brevo'],
  ['MAIL_API_KEY', ['SMTP_URL', 'MAIL_API_KEY'], 'key'],
  ['MAIL_FROM', ['MAIL_FROM'], 'Tide Bot'],
  ['SUPPORT_EMAIL', ['SUPPORT_EMAIL'], '@'],
])('a stored %s that is not understood is left out with %j alone', async (name, ignored, value) => {
  const database = await databaseWith({ ...stored, [name]: value })
  const settings = await readSiteSettings(environment(), database)
  expect(settings.ignored).toEqual(ignored)
  const left = new Set<string>(ignored)
  const kept = Object.fromEntries(Object.entries(stored).filter(([one]) => !left.has(one)))
  expect(shown(settings.config)).toMatchObject(kept)
})

test('what the environment sets wins, and a service of its own replaces the stored one', async () => {
  const database = await databaseWith({ ...stored, MAIL_API: 'brevo' })
  const variables = { SMTP_URL: 'smtp://other.example', PUBLIC_URL: 'https://other.example' }
  const { config, ignored } = await readSiteSettings(environment(variables), database)
  expect(ignored).toEqual([])
  expect(shown(config)).toEqual({ ...stored, ...variables })
})

test('the server says by name what it leaves out, and goes on with the rest', async () => {
  const { database, url: databaseUrl } = await temporaryDatabase()
  await database.transaction(async (transaction) => {
    await writeSiteSettings(transaction, { OWNER_EMAIL: 'mara@bot.example' })
    await writeSetting(transaction, 'site MAIL_API', 'brevo')
  })
  const app = await testApp({ databaseUrl, config: { source: {} } })
  expect(app.context.config.ownerEmail).toBe('mara@bot.example')
  expect(app.log()).toContain('"name":"MAIL_API"')
  expect((await app.inject('/')).statusCode).toBe(200)
})

test('of two saves at once the later one is stored whole', async () => {
  const { database } = await temporaryDatabase()
  let later: Promise<unknown> | undefined
  let isLaterDone = false
  await database.transaction(async (transaction) => {
    await writeSiteSettings(transaction, asSmtp)
    later ??= database
      .transaction((other) => writeSiteSettings(other, asApi))
      .then(() => (isLaterDone = true))
    if (database.engine === 'sqlite') return // it has one writer
    await eventually('the later one waits, or is done', async () => {
      const waiting = await database.row(sql`
        select 1 from pg_locks where locktype = 'advisory' and not granted`)
      return isLaterDone || waiting !== undefined
    })
  })
  await later
  const { ignored, config } = await readSiteSettings(environment(), database)
  expect(ignored).toEqual([])
  expect(config.mailApi).toMatchObject({ provider: 'resend' })
})
