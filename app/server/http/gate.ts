import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Config } from '../settings/config.ts'
import { isLoopback, isPublicHost } from '../settings/hosts.ts'
import { type ClientNetworks, createClientNetworks } from './client-address.ts'

/** Every request that may change something passes here first. */
export interface Gate {
  networksOf(request: IncomingMessage): ClientNetworks
  /** Returns undefined if the request is admitted. */
  refusalOf(request: IncomingMessage, callers: AllowedCallers): Refusal | undefined
  /** The request names another public name of this site, such as www. or the host's own. */
  isAtOtherName(request: IncomingMessage): boolean
  /**
   * The origin whose scripts may read the answer: the one that the request names, if it is ours or
   * allowed; ours, if it names none. Undefined: a foreign one.
   */
  corsOrigin(request: IncomingMessage): string | undefined
}

/**
 * `allowed-origins`: programs, our own pages, and scripts of ALLOWED_ORIGINS. `own-pages`: programs
 * and our own pages. `personal-pages`: the same, but browsers send `Origin: null` from there,
 * because of `Referrer-Policy: no-referrer`. `desk`: our own pages, and as long as nobody told the
 * server its address, pages of whatever host the request names.
 */
export type AllowedCallers = 'allowed-origins' | 'own-pages' | 'personal-pages' | 'desk'

export type Refusal = 'origin' | 'host'

/** For callers that have no error format. */
export const refusals: Record<Refusal, { status: number; sentence: string }> = {
  origin: { status: 403, sentence: 'This origin may not do that.' },
  host: { status: 421, sentence: 'This server does not answer for that host.' },
}

export interface GateSettings {
  readonly config: Pick<Config, 'publicUrl' | 'allowedOrigins' | 'trustedProxies'>
  readonly isAddressKnown: boolean
}

/** `secret`: key of the hashes of networks. */
export function createGate(settings: { readonly current: GateSettings }, secret: string): Gate {
  const networksOf = createClientNetworks(secret, settings.current.config.trustedProxies)
  const publicAddress = publicAddressOf(settings)

  function isAllowedCaller(request: IncomingMessage, callers: AllowedCallers): boolean {
    const { origin, 'sec-fetch-site': site } = request.headers
    const { publicUrl, allowedOrigins } = settings.current.config
    if (callers === 'allowed-origins' && origin !== undefined && allowedOrigins.includes(origin)) {
      return true
    }
    // Browsers of before 2023 do not send Sec-Fetch-Site. `none`: the user's own doing, such as a
    // reload.
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
    if (origin === undefined || isOwnOrigin(request, publicUrl)) return true
    if (isDeskAtUnknownAddress(request, callers)) return true
    // A page with `Referrer-Policy: no-referrer` sends `null`. Without Sec-Fetch-Site that counts
    // for the personal pages alone: all of them have this policy.
    return origin === 'null' && (site === 'same-origin' || callers === 'personal-pages')
  }

  /**
   * As long as the server does not know its address, the desk answers at whatever host the request
   * names. The desk's cookie is bound to the host, so that another name of ours carries none.
   */
  function isDeskAtUnknownAddress(request: IncomingMessage, callers: AllowedCallers): boolean {
    if (callers !== 'desk' || settings.current.isAddressKnown) return false
    return request.headers.origin === undefined || isFromItsOwnHost(request)
  }

  return {
    networksOf,
    refusalOf(request, callers) {
      const isAtHome = isAtOurHost(request, publicAddress())
      if (!isAllowedCaller(request, callers)) {
        return !isAtHome && isFromItsOwnHost(request) ? 'host' : 'origin'
      }
      return isAtHome || isDeskAtUnknownAddress(request, callers) ? undefined : 'host'
    },
    isAtOtherName: (request) =>
      settings.current.isAddressKnown && isAtOtherName(request, publicAddress()),
    corsOrigin(request) {
      const { publicUrl, allowedOrigins } = settings.current.config
      const { origin = publicUrl } = request.headers
      const isAllowed =
        origin === publicUrl || allowedOrigins.includes(origin) || isOwnOrigin(request, publicUrl)
      return isAllowed ? origin : undefined
    },
  }
}

interface PublicAddress {
  publicUrl: string
  /** The forms in which clients may write it: also with the default port of the scheme. */
  hosts: readonly string[]
  isPublic: boolean
}

/** Read again only when it changes: to parse a URL takes 4 µs, of some 100 of a sign-up. */
function publicAddressOf(settings: { readonly current: GateSettings }): () => PublicAddress {
  let known = readAddress(settings.current.config.publicUrl)
  return () => {
    const { publicUrl } = settings.current.config
    if (publicUrl !== known.publicUrl) known = readAddress(publicUrl)
    return known
  }
}

function readAddress(publicUrl: string): PublicAddress {
  const { protocol, host, hostname, port } = new URL(publicUrl)
  const hosts = port === '' ? [host, `${host}:${protocol === 'https:' ? 443 : 80}`] : [host]
  return { publicUrl, hosts, isPublic: isPublicHost(hostname) }
}

function isAtOurHost(request: IncomingMessage, { hosts }: PublicAddress): boolean {
  const { host = '' } = request.headers
  return hosts.includes(host.toLowerCase()) || isFromLoopback(request)
}

function isAtOtherName(request: IncomingMessage, address: PublicAddress): boolean {
  if (!address.isPublic || !isPublicName(request.headers.host ?? '')) return false
  return !isAtOurHost(request, address)
}

function isOwnOrigin(request: IncomingMessage, publicUrl: string): boolean {
  const { origin, host = '' } = request.headers
  return origin === publicUrl || (isFromLoopback(request) && origin === `http://${host}`)
}

/** A page of ours that was reached by another name of the site. */
function isFromItsOwnHost({ headers }: IncomingMessage): boolean {
  const { origin, host = '' } = headers
  return origin !== undefined && URL.parse(origin)?.host === host.toLowerCase()
}

/** Not an IP address, and not a name within a private network: proxies and monitors use those. */
function isPublicName(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, '')
  return !/^[\d.]+$|^\[/.test(name) && isPublicHost(name)
}

/** A request that a proxy on this machine passes on may look the same. */
function isFromLoopback({ headers, socket }: IncomingMessage): boolean {
  const host = headers.host?.replace(/:\d{1,5}$/, '') ?? ''
  return isLoopback(host) && isLoopback(socket.remoteAddress?.replace(/^::ffff:/i, '') ?? '')
}

/** False for the requests of others that a proxy on this machine passes on. */
export function isFromThisMachine(request: IncomingMessage): boolean {
  return (
    isFromLoopback(request) &&
    !Object.keys(request.headers).some((name) => addedByProxies.test(name))
  )
}

const addedByProxies =
  /^(?:forwarded|via|x-forwarded.*|x-real-ip|(?:x-|true-)?client-ip|cf-connecting-ip)$/

/**
 * Compares in constant time: the duration reveals neither the secret's length nor how much of it
 * was right.
 */
export function isSameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(secret))
}
