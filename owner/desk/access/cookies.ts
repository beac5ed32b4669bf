import type { CookieSerializeOptions } from '@fastify/cookie'
import { isLoopback } from '#server/configuration/loopback.ts'
import type { DeskRequest } from '../desk-request.ts'

type CookieName = 'desk' | 'desk-code' | 'desk-passkey'

export function setCookie(
  { server, reply }: DeskRequest,
  name: CookieName,
  value: string,
  ms: number,
): void {
  const fullName = fullNameOf(name, server.config.publicUrl)
  const options: CookieSerializeOptions = {
    path: '/',
    maxAge: ms / 1000,
    httpOnly: true,
    sameSite: 'strict',
    secure: fullName !== name,
  }
  reply.setCookie(fullName, value, options)
}

/** Empty: there is none. */
export function readCookie({ server, request }: DeskRequest, name: CookieName): string {
  return request.cookies[fullNameOf(name, server.config.publicUrl)] ?? ''
}

/** Browsers refuse `__Host-` without `Secure`, and some refuse `Secure` from http://localhost. */
function fullNameOf(name: CookieName, publicUrl: string): string {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'http:' && isLoopback(hostname) ? name : `__Host-${name}`
}
