import type { FastifyReply } from 'fastify'
import { noTransform } from './pages.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The security headers of a page. Every other answer has those of data. */
    documentHeaders: Readonly<Record<string, string>>
  }
}

/**
 * Headers that a route has set stay, such as its Referrer-Policy. The content policy is the
 * exception: every answer begins with the one for data.
 */
export function sendHtml(reply: FastifyReply, html: string | Buffer): FastifyReply {
  const own = reply.getHeaders()
  for (const [name, value] of Object.entries(reply.documentHeaders)) {
    if (own[name] === undefined || name === 'content-security-policy') {
      void reply.header(name, value)
    }
  }
  const caching = [own['cache-control'], noTransform].filter(Boolean).join(', ')
  return reply.type('text/html; charset=utf-8').header('cache-control', caching).send(html)
}

/** Answers programs, and errors that have no page. */
export function sendText(reply: FastifyReply, sentence: string): FastifyReply {
  return reply
    .type('text/plain; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(`${sentence}\n`)
}
