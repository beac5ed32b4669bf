import { lookup } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIPv4, type LookupFunction } from 'node:net'
import { linkFault } from '#site/words/checks/links.ts'
import { withScheme } from '#site/words/difference.ts'

/** The way to other hosts, which a test replaces. */
export interface LinkNetwork {
  addressesOf(host: string): Promise<string[]>
  /** An address that is not allowed is never connected to. */
  isAllowed(address: string): boolean
  timeoutMs: number
}

const internet: LinkNetwork = {
  addressesOf: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  isAllowed: isPublicAddress,
  timeoutMs: 5_000,
}

/**
 * Asks a link once, without following where it leads. Returns a sentence if nothing usable answers;
 * undefined if a page does. The desk must not become a way into the server's own network: only
 * public addresses are connected to, and no answer is shown.
 */
export async function checkLink(
  typed: string,
  network: LinkNetwork = internet,
): Promise<string | undefined> {
  if (linkFault(typed) !== undefined) return undefined // the field says so itself
  const url = new URL(withScheme(typed))
  const addresses = await network.addressesOf(url.hostname).catch(() => [])
  const [address] = addresses
  if (address === undefined) return `No server has the name ${url.hostname}.`
  if (!addresses.every(network.isAllowed)) {
    return `${url.hostname} is in a private network: visitors do not reach it.`
  }
  const status = await statusOf(url, address, network.timeoutMs)
  if (status === undefined) return `${url.hostname} does not answer.`
  return isMissing(status) ? `${url.hostname} answers with ${status} instead of a page.` : undefined
}

/** Pages that refuse programs (401, 403, 405, 429) are there for people. */
function isMissing(status: number): boolean {
  return status === 404 || status === 410 || status >= 500
}

/** Connects to `address`, which was checked: the name is not looked up once more. */
function statusOf(url: URL, address: string, timeoutMs: number): Promise<number | undefined> {
  const found: LookupFunction = (_host, _options, done) =>
    done(null, [{ address, family: isIPv4(address) ? 4 : 6 }])
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const asking = request(url, {
    lookup: found,
    headers: { 'user-agent': 'starter-bot' },
    signal: AbortSignal.timeout(timeoutMs),
  })
  asking.on('response', (response) => {
    resolve(response.statusCode)
    asking.destroy()
  })
  asking.on('error', () => resolve(undefined))
  asking.end()
  return promise
}

/** The special-purpose addresses of IANA's registries (RFC 6890), and multicast. */
const privateIpv4 = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  privateIpv4.addSubnet(network, prefix)
}

const publicIpv6 = new BlockList()
publicIpv6.addSubnet('2000::', 3, 'ipv6')

/** IPv6 addresses that lead to an IPv4 address, and examples. */
const specialIpv6 = new BlockList()
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const) {
  specialIpv6.addSubnet(network, prefix, 'ipv6')
}

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !privateIpv4.check(address)
  return publicIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
}
