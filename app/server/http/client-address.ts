import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** Keyed hashes of the networks that a request came from. Without the key they reveal nothing about its address. */
export interface ClientNetworks {
  /** One IPv4 address, or the /64 that one IPv6 line holds. */
  network: string
  /** The /48 around it, which one visitor may hold. Undefined for IPv4. */
  widerNetwork: string | undefined
}

const maxRemembered = 10_000

/**
 * Names the networks of a request's client. Of `X-Forwarded-For` only the last `trustedProxies` hops count, since our own
 * proxies wrote those; a visitor can invent the ones before. A hop that is not an address is replaced by the peer.
 */
export function createClientNetworks(
  key: string,
  trustedProxies: number,
): (request: IncomingMessage) => ClientNetworks {
  const known = new Map<string, ClientNetworks>()
  const hash = (network: string) => createHmac('sha256', key).update(network).digest('base64url').slice(0, 22)

  function networksOf(address: string): ClientNetworks | undefined {
    const remembered = known.get(address)
    if (remembered) return remembered
    const groups = parseAddress(address)
    if (!groups) return undefined
    const networks =
      groups.length === 8
        ? { network: hash(groups.slice(0, 4).join(':')), widerNetwork: hash(groups.slice(0, 3).join(':')) }
        : { network: hash(groups.join('.')), widerNetwork: undefined }
    if (known.size >= maxRemembered) known.clear()
    known.set(address, networks)
    return networks
  }

  return (request) => {
    const fromHop = networksOf(clientAddressOf(request, trustedProxies))
    return fromHop ?? networksOf(peerOf(request)) ?? { network: '', widerNetwork: undefined }
  }
}

/** The address of a request's client as it was written. The doctor shows it. */
export function clientAddressOf(request: IncomingMessage, trustedProxies: number): string {
  return forwardedFor(request, trustedProxies) ?? peerOf(request)
}

/** A connection that has ended has no peer any more. */
function peerOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? ''
}

function forwardedFor({ headers }: IncomingMessage, trustedProxies: number): string | undefined {
  const header = headers['x-forwarded-for']
  if (trustedProxies === 0 || typeof header !== 'string') return undefined
  const hops = header.split(',')
  return hops[Math.max(0, hops.length - trustedProxies)]?.trim()
}

const hopForm = /^(?:\[(?<ipv6>[\da-f:.]+)\]|(?<ipv4>[\d.]+))(?::\d{1,5})?$/i

/**
 * Parses an address as proxies write it: IPv6 with or without brackets, either with or without a port. Four groups are an
 * IPv4 address, also one that is mapped into IPv6; eight are IPv6, in lower case without leading zeros.
 */
function parseAddress(text: string): string[] | undefined {
  const { ipv6, ipv4 } = hopForm.exec(text)?.groups ?? {}
  const address = (ipv6 ?? ipv4 ?? text).replace(/%.*$/, '')
  const family = isIP(address)
  if (family === 0 || (ipv6 !== undefined && family === 4)) return undefined
  if (family === 4) return address.split('.')
  const groups = ipv6Groups(address)
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  return isMapped ? groups.slice(6).flatMap(bytesOfGroup) : groups
}

/** `address` is valid. The URL parser writes it in lower case, without leading zeros, and a dotted end as two groups. */
function ipv6Groups(address: string): string[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [before = [], after = []] = canonical.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after]
}

function bytesOfGroup(group: string): string[] {
  const value = Number.parseInt(group, 16)
  return [String(value >> 8), String(value & 255)]
}
