import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/**
 * Where a request came from. Of `X-Forwarded-For` only the last `trustedProxies` hops are believed: those our own proxies
 * wrote; what stands before them is the visitor's to invent.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const peer = request.socket.remoteAddress ?? ''
  if (trustedProxies === 0) return peer
  const forwarded = request.headers['x-forwarded-for']
  const hops = typeof forwarded === 'string' ? forwarded.split(',').map((hop) => hop.trim()) : []
  return [...hops, peer].at(-1 - Math.min(trustedProxies, hops.length)) ?? peer
}

const mostRemembered = 10_000

/** Names the network an address belongs to without telling it: one IPv4 address, or the /64 that one IPv6 line holds. */
export function createNetworkNames(key: string): (address: string) => string {
  const known = new Map<string, string>()
  return (address) => {
    const remembered = known.get(address)
    if (remembered) return remembered
    if (known.size >= mostRemembered) known.clear()
    const name = createHmac('sha256', key).update(networkOf(address)).digest('base64url').slice(0, 22)
    known.set(address, name)
    return name
  }
}

function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)
  if (mapped?.[1]) return mapped[1]
  return isIPv6(plain) ? ipv6Groups(plain).slice(0, 4).join(':') : plain
}

function ipv6Groups(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = !tail ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  return [...before, ...Array<string>(missing).fill('0'), ...after].map((group) =>
    group.replace(/^0+(?=.)/, ''),
  )
}
