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

const maxRemembered = 10_000

/**
 * Names the networks of a request's client. Of `X-Forwarded-For` only the last `trustedProxies`
 * hops count, since our own proxies wrote those; a visitor can invent the ones before. A hop that
 * is not an address is replaced by the peer.
 */
export function createClientNetworks(key: string, trustedProxies: number) {
  const known = new Map<string, ClientNetworks>()
  const hash = (network: string) =>
    createHmac('sha256', key).update(network).digest('base64url').slice(0, 22)

  function networksOf(written: string): ClientNetworks | undefined {
    const remembered = known.get(written)
    if (remembered) return remembered
    const address = parseAddress(written)
    if (!address) return undefined
    const prefix = (groups: number) => hash(groupsOf(address).slice(0, groups).join(':'))
    const networks = isIPv6(address)
      ? { network: prefix(4), widerNetwork: prefix(3) }
      : { network: hash(address), widerNetwork: undefined }
    if (known.size >= maxRemembered) known.clear()
    known.set(written, networks)
    return networks
  }

  return (request: IncomingMessage): ClientNetworks => {
    const fromHop = networksOf(clientAddressOf(request, trustedProxies))
    return fromHop ?? networksOf(peerOf(request)) ?? { network: '', widerNetwork: undefined }
  }
}

/** The address of a request's client as it was written. The doctor shows it. */
export function clientAddressOf(request: IncomingMessage, trustedProxies: number): string {
  const header = request.headers['x-forwarded-for']
  if (trustedProxies === 0 || typeof header !== 'string') return peerOf(request)
  const hops = header.split(',')
  return hops[Math.max(0, hops.length - trustedProxies)]?.trim() ?? peerOf(request)
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
  const [before = [], after = []] = address
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')))
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}
