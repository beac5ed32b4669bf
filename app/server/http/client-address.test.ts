import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createClientNetworks } from './client-address.ts'

const peer = '9.9.9.9'

describe('the client of a request', () => {
  test.each([
    {
      what: 'without a trusted proxy is the peer',
      trustedProxies: 0,
      forwarded: '1.1.1.1',
      expected: peer,
    },
    {
      what: 'behind one proxy is the last hop',
      trustedProxies: 1,
      forwarded: '1.1.1.1',
      expected: '1.1.1.1',
    },
    {
      what: 'behind one proxy is not a hop that a visitor invented',
      trustedProxies: 1,
      forwarded: '6.6.6.6, 7.7.7.7, 1.1.1.1',
      expected: '1.1.1.1',
    },
    {
      what: 'behind two proxies is the hop before the last',
      trustedProxies: 2,
      forwarded: '6.6.6.6, 1.1.1.1, 2.2.2.2',
      expected: '1.1.1.1',
    },
    {
      what: 'behind two proxies is the only hop there is',
      trustedProxies: 2,
      forwarded: '1.1.1.1',
      expected: '1.1.1.1',
    },
    {
      what: 'behind one proxy is the peer if there is no header',
      trustedProxies: 1,
      forwarded: undefined,
      expected: peer,
    },
  ])('$what', ({ trustedProxies, forwarded, expected }) => {
    expect(networksOf(forwarded, trustedProxies)).toEqual(networksOf(undefined, 0, expected))
  })

  test.each([
    ['192.0.2.1', '192.0.2.1:8080'],
    ['192.0.2.1', '::ffff:192.0.2.1'],
    ['192.0.2.1', '::ffff:c000:201'],
    ['192.0.2.1', '[::ffff:192.0.2.1]:443'],
    ['2001:db8::1', '[2001:db8::1]'],
    ['2001:db8::1', '[2001:db8::1]:443'],
    ['2001:db8::1', '[2001:db8:0:0:0:0:0:1]:65535'],
  ])('is one, whether the proxy writes %s or %s', (one, other) => {
    expect(networksOf(`6.6.6.6, ${other}`)).toEqual(networksOf(one))
    expect(networksOf(one)).not.toEqual(networksOf(peer))
  })

  test.each(['unknown', '', '[1.2.3.4]', '[2001:db8::1', '[2001:db8::1]x', '1.2.3.4/5', '1.2.3'])(
    'is the peer if the hop is %j',
    (hop) => {
      expect(networksOf(`1.1.1.1, ${hop}`)).toEqual(networksOf(peer))
    },
  )

  test('is the peer if the hop is longer than an address, so that no long text is kept', () => {
    const long = `fe80::1%${'a'.repeat(1_000)}`
    expect(networksOf(`1.1.1.1, ${long}`)).toEqual(networksOf(peer))
  })

  test('of a connection that has ended gets its own network', () => {
    expect(networksOf('unknown', 1, '')).not.toEqual(networksOf(peer))
  })
})

describe('the names of networks', () => {
  test('reveal nothing about the address, and depend on the key', () => {
    const { network } = networksOf('192.0.2.1')
    expect(network).not.toContain('192')
    expect(createClientNetworks('other key', 1)(requestFrom(peer, '192.0.2.1')).network).not.toBe(
      network,
    )
  })

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:db8::1', '2001:db8:0:0:5::'],
    ['fe80::1%eth0', 'fe80::2%eth1'],
  ])('%s and %s are in one /64', (one, other) => {
    expect(networksOf(one)).toEqual(networksOf(other))
  })

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['192.0.2.1', '192.0.2.2'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
  ])('%s and %s are in two networks', (one, other) => {
    expect(networksOf(one).network).not.toBe(networksOf(other).network)
  })

  test('two /64 of one /48 share its name; another /48 has another, and IPv4 has none', () => {
    const { widerNetwork } = networksOf('2001:db8:1:2::1')
    expect(networksOf('2001:db8:1:ffff::1').widerNetwork).toBe(widerNetwork)
    expect(networksOf('2001:db8:2:2::1').widerNetwork).not.toBe(widerNetwork)
    expect(widerNetwork).not.toBe(networksOf('2001:db8:1:2::1').network)
    expect(networksOf('192.0.2.1').widerNetwork).toBeUndefined()
  })
})

function networksOf(forwarded: string | undefined, trustedProxies = 1, from = peer) {
  return createClientNetworks('key', trustedProxies)(requestFrom(from, forwarded))
}

function requestFrom(from: string, forwarded: string | undefined): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: from })
  const request = new IncomingMessage(socket)
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
  return request
}
