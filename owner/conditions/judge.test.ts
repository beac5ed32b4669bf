import { describe, expect, test } from 'vitest'
import { configOf } from '#owner/acts/owned-database.ts'
import { settingsWithoutDatabase } from '#server/settings/site-settings.ts'
import type { Severity } from './condition.ts'
import { judge } from './judge.ts'

const environment = { NODE_ENV: 'production', PUBLIC_URL: 'https://bot.example' }
const { config } = settingsWithoutDatabase(configOf({ environment }))

interface Surroundings {
  isHeldBack?: boolean
  isAddressKnown?: boolean
  signedInAt?: string
  publicUrl?: string
}

function judged(
  id: string,
  severity: Severity,
  { isHeldBack = true, isAddressKnown = true, signedInAt, publicUrl }: Surroundings = {},
): Severity {
  const settings = {
    config: { ...config, ...(publicUrl !== undefined && { publicUrl }) },
    isHeldBack,
    isAddressKnown,
  }
  return judge({ id, severity, what: 'So.', why: '' }, { settings, signedInAt }).severity
}

describe('until the page is open', () => {
  test.each(['you.name', 'mail.connects', 'dns.spf', 'site.answers'])(
    'an error of %s blocks that',
    (id) => {
      expect(judged(id, 'error')).toBe('blocks')
      expect(judged(id, 'error', { signedInAt: 'bot.other.example' })).toBe('blocks')
    },
  )

  test.each(['warning', 'not-checked', 'fine'] as const)(
    'what is %s blocks nothing',
    (severity) => {
      expect(judged('dns.spf', severity)).toBe(severity)
    },
  )

  test.each([
    ['configuration.sender', 'warning'],
    ['site.answers', 'warning'],
    ['dns.spf', 'warning'],
    ['mail.login', 'blocks'],
    ['address.public', 'warning'],
  ])('for an owner at the machine itself an error of %s is %s', (id, severity) => {
    for (const signedInAt of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000']) {
      expect(judged(id, 'error', { signedInAt })).toBe(severity)
    }
  })
})

test('an address that is not set blocks also for an owner at the machine', () => {
  const there = { isAddressKnown: false, signedInAt: 'localhost' }
  expect(judged('address.public', 'error', there)).toBe('blocks')
})

test('at an address that only this machine opens, the way there is a warning for good', () => {
  const publicUrl = 'http://localhost:3000'
  const there = { isHeldBack: false, signedInAt: 'localhost:3000', publicUrl }
  expect(judged('address.public', 'error', there)).toBe('warning')
  expect(judged('mail.login', 'error', there)).toBe('error')
  // The program behind doctor knows of no owner at the machine.
  expect(judged('address.public', 'error', { isHeldBack: false, publicUrl })).toBe('error')
})

test('afterwards an error is an error', () => {
  expect(judged('dns.spf', 'error', { isHeldBack: false, signedInAt: 'localhost' })).toBe('error')
})

test('a server that cannot reach itself is not believed where the owner has signed in', () => {
  for (const isHeldBack of [true, false]) {
    const there = { isHeldBack, signedInAt: 'bot.example' }
    expect(judged('site.answers', 'error', there)).toBe('not-checked')
    expect(judged('site.one-click', 'error', there)).toBe(isHeldBack ? 'blocks' : 'error')
  }
})
