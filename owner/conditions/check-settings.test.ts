import { expect, onTestFinished, test } from 'vitest'
import { brand as ourBrand } from '#content/brand.ts'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { makeProjectFolder } from '#rigs/owner/doctor-site.ts'
import { stubSite } from '#rigs/server/stub-pages.ts'
import { askDoctor } from '#rigs/owner/doctor-terminal.ts'
import { writeSetting } from '#server/database/settings.ts'
import { openSite } from '#server/site/site-settings.ts'
import { noteFailure, storeVersion } from '#server/site/store-version.ts'
import { defaultSource } from '#site/source.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'

const production = {
  NODE_ENV: 'production',
  SMTP_URL: 'smtp://127.0.0.1:1',
  PUBLIC_URL: 'https://bot.invalid',
  MAIL_FROM: 'bot@bot.invalid',
}

async function settingsOf(more: Record<string, string>, folder = makeProjectFolder()) {
  return (await askDoctor({ environment: { ...production, ...more }, outside: { folder } })).said
}

test('consistent production settings are ok', async () => {
  const { findings } = await askDoctor({ environment: production })
  const settings = findings.filter(({ id }) => id.startsWith('configuration.'))
  expect(settings.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok'])
})

test.each([
  [
    { PUBLIC_URL: 'http://localhost:3000' },
    'public-url',
    /^wrong .*localhost:3000, which no other machine can open/,
  ],
  [{ PUBLIC_URL: 'http://bot.invalid' }, 'public-url', /^wrong .*not encrypted/],
  [{ NODE_ENV: '' }, 'public-url', /^wrong .*NODE_ENV is not production/],
  [{ MAIL_FROM: 'starter@localhost' }, 'sender', /^wrong Mail comes from starter@localhost/],
  [{ MAIL_FROM: 'bot@mail.bot.invalid' }, 'sender', /^ok /],
  [{ MAIL_FROM: 'bot@other.invalid' }, 'sender', /^look .*another domain/],
  [{ PUBLIC_URL: 'https://bot.co.uk', MAIL_FROM: 'bot@other.co.uk' }, 'sender', /^look /],
])('%j: configuration.%s', async (more, id, said) => {
  expect((await settingsOf(more as Record<string, string>))(`configuration.${id}`)).toMatch(said)
})

test.each([
  ['?sslmode=verify-full', 'ok'],
  ['?sslmode=disable', 'wrong'],
  ['', 'wrong'],
])('a PostgreSQL on another machine with the parameters "%s" is %s', async (parameters, state) => {
  const DATABASE_URL = `postgres://bot:secret@203.0.113.1/bot${parameters}`
  const { of } = await askDoctor({ environment: { DATABASE_URL } })
  expect(of('configuration.database-encryption')).toMatchObject([{ state }])
  expect(JSON.stringify(of('configuration.database-encryption'))).not.toContain('secret')
})

test('a placeholder that is left is named with its field, and is wrong in production', async () => {
  const before = { ...ourBrand }
  onTestFinished(() => void Object.assign(ourBrand, before))
  Object.assign(ourBrand, { creatorName: '[Creator name]', postalAddress: 'A street [sic], Town' })
  const list = '"[Creator name]" (brand.creatorName).'
  const { said } = await askDoctor({})
  expect(said('content.placeholders')).toBe(`look Placeholders are left: ${list}`)
  expect((await settingsOf({}))('content.placeholders')).toBe(
    `wrong Placeholders are left: ${list}`,
  )
})

test('a stored setting that is not understood is wrong, by its name and without its value', async () => {
  const { database, url } = await temporaryDatabase(ownerMigrations)
  const said = async () => (await settingsOf({ DATABASE_URL: url }))('configuration.stored')
  expect(await said()).toBe('')
  await database.transaction((transaction) =>
    writeSetting(transaction, 'site SUPPORT_EMAIL', 'mara'),
  )
  expect(await said()).toBe(
    'wrong Stored at the desk, and not understood by this version: SUPPORT_EMAIL.',
  )
})

test('in production a missing privacy notice, imprint or postal address is named', async () => {
  const before = { ...ourBrand }
  onTestFinished(() => void Object.assign(ourBrand, before))
  Object.assign(ourBrand, { privacyUrl: '', imprintUrl: '', postalAddress: 'Here' })
  const legal = async () => (await settingsOf({}))('content.legal-pages')
  expect(await legal()).toBe('look The texts have no brand.privacyUrl and no brand.imprintUrl.')
  Object.assign(ourBrand, {
    privacyUrl: 'https://example.com/p',
    imprintUrl: 'https://example.com/i',
  })
  expect(await legal()).toMatch(/^ok /)
})

test('texts that speak of our script beside another hold the first opening back, and are a look later', async () => {
  const { database, url } = await temporaryDatabase(ownerMigrations)
  const said = async () => (await settingsOf({ DATABASE_URL: url }))('content.about-ours')
  expect(await said()).toBe('ok The texts speak of the script that you give away.')
  const script = {
    name: 'rsi.pine',
    mediaType: 'text/plain',
    bytes: Buffer.from('// Version 1.0.0, 2026-11-30\nstrategy("RSI")\n'),
  }
  const source = { difference: { texts: {} }, files: { script } }
  await storeVersion(database, { source, bundle: stubSite() }, { about: 'A script', now: 1 })
  expect(await said()).toMatch(/^wrong \d+ texts speak of our script .*: brand\.tagline, /)
  await openSite(database, 2)
  expect(await said()).toMatch(/^look /)
})

test('a page that stays as an earlier build made it is wrong, with the reason', async () => {
  const { database, url } = await temporaryDatabase(ownerMigrations)
  const said = async () => (await settingsOf({ DATABASE_URL: url }))('content.newest-page')
  expect(await said()).toBe('ok The published page is as this version of the program makes it.')
  const published = { source: defaultSource, bundle: stubSite() }
  const { id } = await storeVersion(database, published, { about: 'A text', now: 1 })
  await noteFailure(database, id, { build: 'new', why: 'No font' })
  expect(await said()).toBe(
    'wrong The page stays as an earlier version of this program made it: No font.',
  )
})
