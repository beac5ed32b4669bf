import type { CookieSerializeOptions } from '@fastify/cookie'
import { isLoopback } from '#server/settings/hosts.ts'
import type { DeskRequest } from '#owner/acts/desk-request.ts'

type CookieName = 'desk' | 'desk-code' | 'desk-passkey'

export function setCookie(
  deskRequest: DeskRequest,
  name: CookieName,
  value: string,
  maxAgeMs: number,
): void {
  const fullName = fullNameOf(name, deskRequest)
  const options: CookieSerializeOptions = {
    path: '/',
    maxAge: maxAgeMs / 1000,
    httpOnly: true,
    sameSite: 'strict',
    secure: fullName !== name,
  }
  deskRequest.reply.setCookie(fullName, value, options)
}

/** Empty: there is none. */
export function readCookie(deskRequest: DeskRequest, name: CookieName): string {
  return deskRequest.request.cookies[fullNameOf(name, deskRequest)] ?? ''
}

/** False: the browser would refuse it. */
export function canKeepCookie(deskRequest: DeskRequest): boolean {
  const { protocol, hostname } = originOf(deskRequest)
  return protocol === 'https:' || isLoopback(hostname)
}

/** Browsers refuse `__Host-` without `Secure`, and some refuse `Secure` from http://localhost. */
function fullNameOf(name: CookieName, deskRequest: DeskRequest): string {
  const { protocol, hostname } = originOf(deskRequest)
  return protocol === 'http:' && isLoopback(hostname) ? name : `__Host-${name}`
}

/**
 * The address that cookies and passkeys belong to. As long as the server does not know its own, the
 * browser says where the desk is open: by the Origin header, or by the Host header, which does not
 * name the protocol.
 */
export function originOf({ server, request }: DeskRequest): URL {
  const { config, isAddressKnown } = server.settings.current
  if (isAddressKnown) return new URL(config.publicUrl)
  const { origin, host = '' } = request.headers
  const fromOrigin = URL.parse(origin ?? '')
  if (fromOrigin) return fromOrigin
  const isLocal = isLoopback(host.replace(/:\d+$/, ''))
  return URL.parse(`${isLocal ? 'http' : 'https'}://${host}`) ?? new URL(config.publicUrl)
}
