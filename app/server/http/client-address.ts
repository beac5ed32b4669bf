import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIPv6, SocketAddress } from 'node:net'

/**
 * Keyed hashes of the networks that a request came from. Without the key they reveal nothing about
 * its address.
 */
export interface ClientNetworks {
  /** One IPv4 address, or the /64 that one IPv6 line holds. */
  network: string
  /** The /48 around it, which one visitor may hold. Undefined for IPv4. */
  widerNetwork: string | undefined
}

/** Addresses whose hashes are kept, which saves a sign-up some 8 µs of 60. */
const maxRemembered = 10_000
/** With brackets, zone and port. A longer text is no address, and is not kept. */
const maxAddressLength = 100

/**
 * Names the networks of a request's client. Of `X-Forwarded-For` only the last `trustedProxies`
 * hops count, since our own proxies wrote those; a visitor can invent the ones before. A hop that
 * is not an address is replaced by the peer. `key`: of the hashes.
 */
export function createClientNetworks(
  key: string,
  trustedProxies: number,
): (request: IncomingMessage) => ClientNetworks {
  const remembered = new Map<string, ClientNetworks>()

  function networksOf(written: string): ClientNetworks | undefined {
    const known = remembered.get(written)
    if (known) return known
    const address = written.length <= maxAddressLength ? parseAddress(written) : undefined
    if (address === undefined) return undefined
    const networks = hashNetworks(address, key)
    if (remembered.size >= maxRemembered) remembered.clear()
    remembered.set(written, networks)
    return networks
  }

  return (request) => {
    const ofHop = networksOf(clientAddressOf(request, trustedProxies))
    return ofHop ?? networksOf(peerOf(request)) ?? { network: '', widerNetwork: undefined }
  }
}

function hashNetworks(address: string, key: string): ClientNetworks {
  const hash = (network: string) =>
    createHmac('sha256', key).update(network).digest('base64url').slice(0, 22)
  if (!isIPv6(address)) return { network: hash(address), widerNetwork: undefined }
  const groups = groupsOf(address)
  return {
    network: hash(groups.slice(0, 4).join(':')),
    widerNetwork: hash(groups.slice(0, 3).join(':')),
  }
}

/** The address of a request's client as it was written. The doctor shows it. */
export function clientAddressOf(request: IncomingMessage, trustedProxies: number): string {
  const header = request.headers['x-forwarded-for']
  if (trustedProxies === 0 || typeof header !== 'string') return peerOf(request)
  const hops = header.split(',')
  return hops[Math.max(0, hops.length - trustedProxies)]?.trim() ?? peerOf(request)
}

/** Returns the client's IP address; empty if the connection is gone. */
export function clientIpOf(request: IncomingMessage, trustedProxies: number): string {
  const written = clientAddressOf(request, trustedProxies)
  const ofHop = written.length <= maxAddressLength ? parseAddress(written) : undefined
  return ofHop ?? parseAddress(peerOf(request)) ?? ''
}

/** A connection that has ended has no peer any more. */
function peerOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? ''
}

/**
 * Reads an address as proxies write it: IPv6 with or without brackets, either with or without a
 * port. In lower case without leading zeros; as IPv4, if it is mapped into IPv6.
 */
function parseAddress(text: string): string | undefined {
  const withoutZone = text.replace(/%.*$/, '')
  const parsed = SocketAddress.parse(isIPv6(withoutZone) ? `[${withoutZone}]` : withoutZone)
  // Node reads 1.2.3 as 1.2.0.3, and 1.2.3.4/5 as 1.2.3.4.
  const isWhole = parsed && /^(?::\d+)?$/.test(withoutZone.replace(parsed.address, ''))
  if (parsed?.family === 'ipv4' && !isWhole) return undefined
  return parsed?.address.replace(/^::ffff:(?=.*\.)/, '')
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): string[] {
  const [before = '', after = ''] = address.split('::')
  const first = before === '' ? [] : before.split(':')
  const last = after === '' ? [] : after.split(':')
  const zeros = Array<string>(8 - first.length - last.length).fill('0')
  return [...first, ...zeros, ...last]
}
