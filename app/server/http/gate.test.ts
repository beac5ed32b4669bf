import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createGate, type AllowedCallers, isFromThisMachine } from './gate.ts'

const host = 'bot.example'
const own = 'https://bot.example'
const friend = 'https://friend.example'
const here = '127.0.0.1'
const config = { publicUrl: own, allowedOrigins: [friend], trustedProxies: 0 }
const gate = createGate({ current: { config, isAddressKnown: true } }, 'key')

type Headers = Record<string, string>
type Outcome = 'admitted' | 'origin' | 'host'

function outcome(headers: Headers, callers: AllowedCallers, peer = '192.0.2.1'): Outcome {
  return gate.refusalOf(requestWith(headers, peer), callers) ?? 'admitted'
}

describe('a request whose origin is', () => {
  const all: AllowedCallers[] = ['allowed-origins', 'own-pages', 'personal-pages']
  const sites = {
    same: { 'sec-fetch-site': 'same-origin' },
    cross: { 'sec-fetch-site': 'cross-site' },
    none: { 'sec-fetch-site': 'none' },
    unknown: { 'sec-fetch-site': 'x' },
  }
  interface Case {
    what: string
    headers: Headers
    /** Where it is admitted. Everywhere else its origin is refused. */
    admitted: AllowedCallers[]
  }
  test.each<Case>([
    { what: 'not named, as by a program', headers: {}, admitted: all },
    { what: 'our own', headers: { origin: own }, admitted: all },
    {
      what: 'our own, as browsers send it',
      headers: { origin: own, ...sites.same },
      admitted: all,
    },
    { what: 'our own, cross-site', headers: { origin: own, ...sites.cross }, admitted: [] },
    {
      what: 'of ALLOWED_ORIGINS',
      headers: { origin: friend, ...sites.cross },
      admitted: ['allowed-origins'],
    },
    {
      what: 'of ALLOWED_ORIGINS, in an old browser',
      headers: { origin: friend },
      admitted: ['allowed-origins'],
    },
    { what: 'foreign', headers: { origin: 'https://evil.example' }, admitted: [] },
    { what: 'of another scheme', headers: { origin: 'http://bot.example' }, admitted: [] },
    {
      what: 'one that begins as ours',
      headers: { origin: 'https://bot.example.evil.example' },
      admitted: [],
    },
    { what: 'empty', headers: { origin: '' }, admitted: [] },
    {
      what: 'of this machine, on a public host',
      headers: { origin: 'http://localhost:3000' },
      admitted: [],
    },
    // A personal page tells no referrer, so browsers send null from it.
    { what: 'null, same-origin', headers: { origin: 'null', ...sites.same }, admitted: all },
    {
      what: 'null, in an old browser',
      headers: { origin: 'null' },
      admitted: ['personal-pages'],
    },
    { what: 'null, cross-site', headers: { origin: 'null', ...sites.cross }, admitted: [] },
    { what: 'not named, cross-site', headers: sites.cross, admitted: [] },
    { what: 'not named, by the user', headers: sites.none, admitted: all },
    { what: 'not named, on an unknown site', headers: sites.unknown, admitted: [] },
  ])('$what', ({ headers, admitted }) => {
    for (const callers of all) {
      const expected = admitted.includes(callers) ? 'admitted' : 'origin'
      expect(outcome({ host, ...headers }, callers), callers).toBe(expected)
    }
  })
})

describe('a Host', () => {
  const remote = '192.0.2.1'
  test.each<[string, string, Outcome]>([
    [host, remote, 'admitted'],
    ['BOT.example', remote, 'admitted'],
    ['bot.example:443', remote, 'admitted'],
    ['bot.example:80', remote, 'host'],
    ['bot.example.evil.example', remote, 'host'],
    ['evil.example', remote, 'host'],
    ['evil.example', here, 'host'],
    ['', here, 'host'],
    ['localhost:3000', remote, 'host'],
    ['127.0.0.1:3000', '10.0.0.1', 'host'],
    ['LOCALHOST:3000', here, 'admitted'],
    ['127.0.0.1:3000', '::ffff:127.0.0.1', 'admitted'],
    ['127.8.8.8', '127.8.8.8', 'admitted'],
    ['[::1]:3000', '::1', 'admitted'],
    ['localhost.evil.example', here, 'host'],
    ['10.0.0.1', here, 'host'],
  ])('%j from %s: %s', (name, peer, expected) => {
    expect(outcome({ host: name }, 'own-pages', peer)).toBe(expected)
  })

  test('of this machine makes the page at that host an own page, and no other', () => {
    const from = (origin: string, peer: string) =>
      outcome({ host: 'localhost:3000', origin }, 'own-pages', peer)
    expect(from('http://localhost:3000', here)).toBe('admitted')
    expect(from('http://localhost:8080', here)).toBe('origin')
    expect(from('http://127.0.0.1:3000', here)).toBe('origin')
    expect(from('http://localhost:3000', '192.0.2.1')).toBe('host')
  })
})

describe('another public name of the site', () => {
  const isAtOtherName = (name: string, settings: Partial<typeof config> = {}, isKnown = true) => {
    const current = { config: { ...config, ...settings }, isAddressKnown: isKnown }
    return createGate({ current }, 'key').isAtOtherName(requestWith({ host: name }, '192.0.2.1'))
  }

  test.each(['www.bot.example', 'bot-1.onrender.com:443', 'evil.example'])('%s is one', (name) => {
    expect(isAtOtherName(name)).toBe(true)
  })

  test.each([
    host,
    'bot.example:443',
    'app:3000',
    'bot.internal:3000',
    'bot.default.svc.cluster.local',
    'localhost',
    '203.0.113.5',
    '[::1]:3000',
    '[2001:db8::1]',
    '',
  ])('%j is none: our own, or one that proxies and monitors use', (name) => {
    expect(isAtOtherName(name)).toBe(false)
  })

  test('is known only where the server knows its own, and that is a public one', () => {
    expect(isAtOtherName('www.bot.example', {}, false)).toBe(false)
    for (const publicUrl of ['http://localhost:3000', 'https://bot.lan', 'http://10.0.0.7']) {
      expect(isAtOtherName('www.bot.example', { publicUrl })).toBe(false)
    }
  })

  test('refuses what its own pages post for its host, not for their origin', () => {
    const headers = { host: 'www.bot.example', origin: 'https://www.bot.example' }
    expect(outcome(headers, 'own-pages')).toBe('host')
    expect(outcome({ ...headers, origin: 'https://evil.example' }, 'own-pages')).toBe('origin')
  })
})

describe('a request is from this machine', () => {
  const isHere = (name: string, peer: string, headers: Headers = {}) =>
    isFromThisMachine(requestWith({ host: name, ...headers }, peer))

  test('if peer and host are loopback addresses', () => {
    expect(isHere('localhost:3000', here)).toBe(true)
    expect(isHere('[::1]:3000', '::1')).toBe(true)
    expect(isHere('localhost:3000', '192.0.2.1')).toBe(false)
    expect(isHere('bot.example', here)).toBe(false)
  })

  test.each([
    { 'x-forwarded-for': '192.0.2.1' },
    { forwarded: 'for=192.0.2.1' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '192.0.2.1' },
  ])('unless a proxy passed it on: %j', (headers) => {
    expect(isHere('localhost:3000', here, headers)).toBe(false)
  })
})

test('the gate follows a change of the public address', () => {
  const settings = { current: { config, isAddressKnown: true } }
  const following = createGate(settings, 'key')
  const moved = { host: 'moved.example', origin: 'https://moved.example' }
  settings.current = { ...settings.current, config: { ...config, publicUrl: moved.origin } }
  expect(following.refusalOf(requestWith(moved, '192.0.2.1'), 'own-pages')).toBeUndefined()
})

function requestWith(headers: Headers, peer: string): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const request = new IncomingMessage(socket)
  Object.assign(request.headers, headers)
  return request
}
