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
    const groups = ipv6Groups(address)
    if (!groups) return undefined
    const first = (count: number) => hash(groups.slice(0, count).join(':'))
    const isIPv4 = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
    const networks = isIPv4
      ? { network: first(8), widerNetwork: undefined }
      : { network: first(4), widerNetwork: first(3) }
    if (known.size >= maxRemembered) known.clear()
    known.set(address, networks)
    return networks
  }

  return (request) => {
    const hop = forwardedFor(request, trustedProxies)
    const fromHop = hop === undefined ? undefined : networksOf(hop)
    // A connection that has ended has no peer any more.
    return (
      fromHop ?? networksOf(request.socket.remoteAddress ?? '') ?? { network: '', widerNetwork: undefined }
    )
  }
}

function forwardedFor({ headers }: IncomingMessage, trustedProxies: number): string | undefined {
  const header = headers['x-forwarded-for']
  if (trustedProxies === 0 || typeof header !== 'string') return undefined
  const hops = header.split(',')
  return hops[Math.max(0, hops.length - trustedProxies)]?.trim()
}

const hopForm = /^(?:\[(?<ipv6>[\da-f:.]+)\]|(?<ipv4>[\d.]+))(?::\d{1,5})?$/i

/**
 * Parses an address as proxies write it: IPv6 with or without brackets, either with or without a port. Returns its groups in
 * lower case without leading zeros. IPv4 is mapped into IPv6, as some proxies write it too.
 */
function ipv6Groups(text: string): string[] | undefined {
  const { ipv6, ipv4 } = hopForm.exec(text)?.groups ?? {}
  const address = (ipv6 ?? ipv4 ?? text).replace(/%.*$/, '')
  const family = isIP(address)
  if (family === 0 || (ipv6 !== undefined && family === 4)) return undefined
  const { hostname } = new URL(`http://[${family === 4 ? '::ffff:' : ''}${address}]`)
  const parts = hostname.slice(1, -1).split('::')
  const [before = [], after = []] = parts.map((part) => (part === '' ? [] : part.split(':')))
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}
