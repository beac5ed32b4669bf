import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createGate, type AllowedCallers, isFromThisMachine } from './gate.ts'

const host = 'bot.example'
const own = 'https://bot.example'
const friend = 'https://friend.example'
const here = '127.0.0.1'
const gate = createGate({ publicUrl: own, allowedOrigins: [friend], trustedProxies: 0 }, 'key')

type Headers = Record<string, string>
type Outcome = 'admitted' | 'origin' | 'host'

function outcome(headers: Headers, callers: AllowedCallers, peer = '192.0.2.1'): Outcome {
  return gate.refusalOf(requestWith(headers, peer), callers) ?? 'admitted'
}

describe('a request whose origin is', () => {
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  const sameOrigin = { 'sec-fetch-site': 'same-origin' }
  test.each<[string, Headers, Outcome, Outcome, Outcome]>([
    // callers:                                           allowed-origins, own-pages, personal-pages
    ['a program names none', {}, 'admitted', 'admitted', 'admitted'],
    ['our own', { origin: own }, 'admitted', 'admitted', 'admitted'],
    [
      'our own, as browsers send it',
      { origin: own, ...sameOrigin },
      'admitted',
      'admitted',
      'admitted',
    ],
    ['of ALLOWED_ORIGINS', { origin: friend, ...crossSite }, 'admitted', 'origin', 'origin'],
    ['of ALLOWED_ORIGINS, old browser', { origin: friend }, 'admitted', 'origin', 'origin'],
    ['foreign', { origin: 'https://evil.example' }, 'origin', 'origin', 'origin'],
    ['with another scheme', { origin: 'http://bot.example' }, 'origin', 'origin', 'origin'],
    [
      'that begins as ours',
      { origin: 'https://bot.example.evil.example' },
      'origin',
      'origin',
      'origin',
    ],
    ['empty', { origin: '' }, 'origin', 'origin', 'origin'],
    [
      'of this machine, on a public host',
      { origin: 'http://localhost:3000' },
      'origin',
      'origin',
      'origin',
    ],
    // A personal page tells no referrer, so browsers send null from it.
    ['null, same-origin', { origin: 'null', ...sameOrigin }, 'admitted', 'admitted', 'admitted'],
    ['null, old browser', { origin: 'null' }, 'origin', 'origin', 'admitted'],
    ['null, cross-site', { origin: 'null', ...crossSite }, 'origin', 'origin', 'origin'],
    ['none, cross-site', crossSite, 'origin', 'origin', 'origin'],
    ['none, by the user', { 'sec-fetch-site': 'none' }, 'admitted', 'admitted', 'admitted'],
    ['our own, cross-site', { origin: own, ...crossSite }, 'origin', 'origin', 'origin'],
    ['none, an unknown site', { 'sec-fetch-site': 'x' }, 'origin', 'origin', 'origin'],
  ])('%s', (_what, headers, fromAllowedOrigins, fromOwnPages, fromPersonalPages) => {
    expect(outcome({ host, ...headers }, 'allowed-origins')).toBe(fromAllowedOrigins)
    expect(outcome({ host, ...headers }, 'own-pages')).toBe(fromOwnPages)
    expect(outcome({ host, ...headers }, 'personal-pages')).toBe(fromPersonalPages)
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
    expect(from('http://localhost:3000', '192.0.2.1')).toBe('origin')
  })
})

test.each<[string, string, Headers, boolean]>([
  ['localhost:3000', here, {}, true],
  ['[::1]:3000', '::1', {}, true],
  ['localhost:3000', '192.0.2.1', {}, false],
  ['bot.example', here, {}, false],
  ['localhost:3000', here, { 'x-forwarded-for': '192.0.2.1' }, false],
  ['localhost:3000', here, { forwarded: 'for=192.0.2.1' }, false],
  ['localhost:3000', here, { via: '1.1 proxy' }, false],
  ['localhost:3000', here, { 'x-real-ip': '192.0.2.1' }, false],
])('a request for %s from %s with %j is from this machine: %s', (name, peer, headers, expected) => {
  expect(isFromThisMachine(requestWith({ host: name, ...headers }, peer))).toBe(expected)
})

function requestWith(headers: Headers, peer: string): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const request = new IncomingMessage(socket)
  Object.assign(request.headers, headers)
  return request
}
