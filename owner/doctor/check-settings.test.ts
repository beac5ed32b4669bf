import { expect, test } from 'vitest'
import { askDoctor } from '#rigs/owner/doctor-terminal.ts'

const relay = 'smtp://127.0.0.1:1'
const production = {
  NODE_ENV: 'production',
  SMTP_URL: relay,
  PUBLIC_URL: 'https://bot.invalid',
  MAIL_FROM: 'bot@bot.invalid',
  ANON_KEY: 'mine',
  TRUST_PROXY: '1',
}

async function settingsOf(more: Record<string, string>) {
  return (await askDoctor({ environment: { ...production, ...more } })).said
}

test('consistent production settings are ok', async () => {
  const { findings } = await askDoctor({ environment: production })
  const settings = findings.filter(({ id }) => id.startsWith('configuration.'))
  expect(settings.map(({ state }) => state)).toEqual(settings.map(() => 'ok'))
  expect(settings).toHaveLength(7)
})

test('loopback addresses are wrong in production', async () => {
  const said = await settingsOf({ PUBLIC_URL: 'http://localhost:3000', MAIL_FROM: 'starter@localhost' })
  expect(said('configuration.public-url')).toMatch(/^wrong .*localhost:3000, which no other machine can open/)
  expect(said('configuration.sender')).toMatch(/^wrong Mail comes from starter@localhost/)
})

test('an http address is wrong in production, and a finding to look at in development', async () => {
  const PUBLIC_URL = 'http://bot.invalid'
  expect((await settingsOf({ PUBLIC_URL }))('configuration.public-url')).toMatch(/^wrong .*not encrypted/)
  expect((await settingsOf({ PUBLIC_URL, NODE_ENV: '' }))('configuration.public-url')).toMatch(/^look /)
})

test('a public address outside production is wrong', async () => {
  expect((await settingsOf({ NODE_ENV: '' }))('configuration.mode')).toMatch(
    /^wrong .*NODE_ENV is not production/,
  )
})

test.each([
  ['bot@bot.invalid', 'ok'],
  ['bot@mail.bot.invalid', 'ok'],
  ['bot@other.invalid', 'look'],
])('links to bot.invalid in mail from %s are %s', async (MAIL_FROM, state) => {
  expect((await settingsOf({ MAIL_FROM }))('configuration.one-domain')).toMatch(new RegExp(`^${state} `))
})

test('two names below co.uk are two registered domains', async () => {
  const said = await settingsOf({ PUBLIC_URL: 'https://bot.co.uk', MAIL_FROM: 'bot@other.co.uk' })
  expect(said('configuration.one-domain')).toMatch(/^look /)
})

test('a proxy that TRUST_PROXY does not count is wrong', async () => {
  expect((await settingsOf({ TRUST_PROXY: '0' }))('configuration.proxies')).toMatch(
    /^wrong .*all visitors together may sign up 20 times in 10 minutes/,
  )
  const said = await settingsOf({ TRUST_PROXY: '0', LIMIT_IP_PER_10_MIN: 'off' })
  expect(said('configuration.proxies')).toMatch(/^ok /)
})

test('the development key is a finding to look at in production', async () => {
  expect((await settingsOf({ ANON_KEY: '' }))('configuration.anon-key')).toBe(
    'look ANON_KEY is the one from development.',
  )
})

test.each([
  ['?sslmode=verify-full', 'ok'],
  ['?sslmode=disable', 'wrong'],
  ['?sslmode=require', 'wrong'],
  ['', 'wrong'],
])('a PostgreSQL on another machine with the parameters "%s" is %s', async (parameters, state) => {
  const DATABASE_URL = `postgres://bot:secret@203.0.113.1/bot${parameters}`
  const { of } = await askDoctor({ environment: { DATABASE_URL } })
  expect(of('configuration.database-encryption')).toMatchObject([{ state }])
  expect(JSON.stringify(of('configuration.database-encryption'))).not.toContain('secret')
})
