import { expect, test } from 'vitest'
import { configOf } from '#owner/acts/owned-database.ts'
import { type SiteSettings, settingsWithoutDatabase } from '#server/settings/site-settings.ts'
import type { Condition } from '../condition.ts'
import { judgeSettings } from './settings.ts'

const production = {
  NODE_ENV: 'production',
  SMTP_URL: 'smtp://127.0.0.1:1',
  PUBLIC_URL: 'https://bot.example',
  MAIL_FROM: 'bot@bot.example',
}

function settingsFrom(more: Record<string, string>): SiteSettings {
  return settingsWithoutDatabase(configOf({ environment: { ...production, ...more } }))
}

function found(settings: SiteSettings, id: string): Condition {
  return judgeSettings(settings).find((one) => one.id === id)!
}

function said(settings: SiteSettings, id: string): string {
  const { severity, what } = found(settings, id)
  return `${severity} ${what}`
}

test('consistent production settings are fine', () => {
  expect(new Set(judgeSettings(settingsFrom({})).map(({ severity }) => severity))).toEqual(
    new Set(['fine']),
  )
})

test.each([
  [
    { PUBLIC_URL: 'http://localhost:3000' },
    'address.public',
    /^error .*localhost:3000, which no other machine can open/,
  ],
  [{ PUBLIC_URL: 'http://bot.example' }, 'address.public', /^error .*not encrypted/],
  [{ PUBLIC_URL: 'https://bot.lan' }, 'address.public', /^warning .*outside your own network/],
  [{ PUBLIC_URL: 'https://10.0.0.7' }, 'address.public', /^warning .*outside your own network/],
  [{ PUBLIC_URL: 'http://bot.lan' }, 'address.public', /^error .*not encrypted/],
  [{ NODE_ENV: '' }, 'address.public', /^error .*does not run in production/],
  [{ PUBLIC_URL: '' }, 'address.public', /^error Your page has no address on the internet yet/],
  [
    { MAIL_FROM: 'starter@localhost' },
    'configuration.sender',
    /^error Mail comes from starter@localhost/,
  ],
  [{ MAIL_FROM: 'bot@mail.bot.example' }, 'configuration.sender', /^fine /],
  [{ MAIL_FROM: 'bot@other.example' }, 'configuration.sender', /^warning .*another domain/],
  [
    { PUBLIC_URL: 'https://bot.co.uk', MAIL_FROM: 'bot@other.co.uk' },
    'configuration.sender',
    /^warning /,
  ],
  [{ SMTP_URL: '' }, 'configuration.sender', /^not-checked .*once your mail service is set/],
])('with the variables %j the check-up judges %s and says %s', (more, id, words) => {
  expect(said(settingsFrom(more as Record<string, string>), id)).toMatch(words)
})

test('what to do names the variable that the environment sets, else the field at the desk', () => {
  const fixed = settingsFrom({ PUBLIC_URL: 'http://bot.example', MAIL_FROM: 'bot@localhost' })
  const stored = { ...fixed, fixed: new Set<string>() }
  const advice = (settings: SiteSettings) =>
    judgeSettings(settings)
      .map((one) => one.advice)
      .join(' ')
  expect(advice(fixed)).toContain('set PUBLIC_URL to https://bot.example')
  expect(advice(fixed)).toContain('MAIL_FROM')
  expect(advice(stored)).toContain('the field From under Mail service')
  expect(advice(stored)).not.toMatch(/[A-Z]_[A-Z]/)
})

test('a setting of the server is a record to copy', () => {
  expect(found(settingsFrom({ NODE_ENV: '' }), 'address.public').record).toEqual({
    name: 'NODE_ENV',
    type: 'setting',
    value: 'production',
  })
})

test.each([
  ['?sslmode=verify-full', 'fine'],
  ['?sslmode=disable', 'error'],
  ['', 'error'],
])('a PostgreSQL on another machine with the parameters "%s" is %s', (parameters, severity) => {
  const DATABASE_URL = `postgres://bot:secret@203.0.113.1/bot${parameters}`
  const encryption = found(
    settingsFrom({ DATABASE_URL, NODE_ENV: '' }),
    'configuration.database-encryption',
  )
  expect(encryption.severity).toBe(severity)
  expect(JSON.stringify(encryption)).not.toContain('secret')
})

test('stored settings that are not understood are named once each, without their values', () => {
  const settings: SiteSettings = {
    ...settingsFrom({}),
    stored: { SUPPORT_EMAIL: 'mara', SMTP_URL: 'x', MAIL_API: 'y' },
    ignored: ['SUPPORT_EMAIL', 'SMTP_URL', 'MAIL_API'],
  }
  expect(said(settings, 'configuration.stored')).toBe(
    'error Stored at the desk, and not understood by this version: the support address and the mail service.',
  )
})
