import type { FastifyReply, FastifyRequest } from 'fastify'

/** True for a browser that opens a page, not for its scripts. */
export function acceptsHtml({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/**
 * The token of `Authorization: Bearer TOKEN`. The scheme's case does not matter (RFC 9110 11.1).
 */
export function bearerToken({ headers }: FastifyRequest): string | undefined {
  return /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1]
}

/** True for a plain form of HTML. */
export function isForm({ headers }: FastifyRequest): boolean {
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers['content-type'] ?? '')
}

/**
 * Runs `count` once a page or a file is sent from its start: not for a 304, and not for the rest of
 * a broken download.
 */
export function whenSent(request: FastifyRequest, reply: FastifyReply, count: () => void): void {
  reply.raw.once('finish', () => {
    const { statusCode } = reply.raw
    const isFirstPart = String(reply.raw.getHeader('content-range') ?? '').startsWith('bytes 0-')
    if (request.method === 'GET' && (statusCode === 200 || (statusCode === 206 && isFirstPart))) {
      count()
    }
  })
}
