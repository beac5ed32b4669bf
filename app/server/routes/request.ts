import type { FastifyRequest } from 'fastify'

/** True for a browser that opens a page, not for its scripts. */
export function acceptsHtml({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/** The token of `Authorization: Bearer TOKEN`. The scheme's case does not matter (RFC 9110 11.1). */
export function bearerToken({ headers }: FastifyRequest): string | undefined {
  return /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1]
}

/** True for a plain form of HTML. */
export function isForm({ headers }: FastifyRequest): boolean {
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers['content-type'] ?? '')
}
