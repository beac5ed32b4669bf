import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { clientAddress, createNetworkNames } from './client-address.ts'

describe('where a request came from', () => {
  test.each([
    ['no proxy is trusted: the peer, whatever the header says', 0, '1.1.1.1', '9.9.9.9'],
    ['one proxy: what it wrote last', 1, '1.1.1.1', '1.1.1.1'],
    ['one proxy: what a visitor invented before does not count', 1, '6.6.6.6, 7.7.7.7, 1.1.1.1', '1.1.1.1'],
    ['two proxies: the hop before the last', 2, '6.6.6.6, 1.1.1.1, 2.2.2.2', '1.1.1.1'],
    ['two proxies, one hop: no more than there is', 2, '1.1.1.1', '1.1.1.1'],
    ['one proxy, no header: the peer', 1, undefined, '9.9.9.9'],
  ])('%s', (_what, trustedProxies, forwarded, expected) => {
    expect(clientAddress(requestFrom('9.9.9.9', forwarded), trustedProxies)).toBe(expected)
  })
})

describe('the name of a network', () => {
  const nameOf = createNetworkNames('key')

  test('tells nothing of the address, and depends on the key', () => {
    expect(nameOf('192.0.2.1')).not.toContain('192')
    expect(createNetworkNames('other key')('192.0.2.1')).not.toBe(nameOf('192.0.2.1'))
  })

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:db8:1:2::1', '2001:0DB8:0001:0002:0:0:0:9'],
    ['2001:db8::1', '2001:db8:0:0:5::'],
    ['::1', '0:0:0:0:0:0:0:2'],
    ['fe80::1%eth0', 'fe80::2%eth1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
  ])('%s and %s are one', (one, other) => {
    expect(nameOf(one)).toBe(nameOf(other))
  })

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['192.0.2.1', '192.0.2.2'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
  ])('%s and %s are two', (one, other) => {
    expect(nameOf(one)).not.toBe(nameOf(other))
  })
})

function requestFrom(peer: string, forwarded: string | undefined): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const request = new IncomingMessage(socket)
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
  return request
}
