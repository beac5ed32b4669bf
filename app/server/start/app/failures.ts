import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Unavailable } from '../../database/database.ts'
import { sendHtml, sendText } from '../../http/replies.ts'
import { acceptsHtml } from '../../http/request.ts'
import type { Log } from '../../log.ts'
import type { SiteHolder } from '../../site/served-site.ts'

/**
 * The answer to every fault that no route expects: a page to a browser that shows it, JSON to
 * scripts and programs.
 */
export function failureHandler(
  log: Log,
  site: SiteHolder,
): (fault: FastifyError, request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  return (fault, request, reply) => {
    const { statusCode = 500 } = fault
    if (statusCode < 500) return sendText(reply.code(statusCode), 'Bad request')
    log.error('request failed', { method: request.method, cause: fault })
    const isUnavailable = fault instanceof Unavailable
    if (isUnavailable) void reply.header('retry-after', '30')
    void reply.code(isUnavailable ? 503 : 500).header('cache-control', 'no-store')
    if (acceptsHtml(request)) {
      const { pages } = site.current
      return sendHtml(reply, pages.page('failure', {}))
    }
    return reply.send({ error: isUnavailable ? unavailable : internal })
  }
}

const unavailable = {
  code: 'unavailable',
  message: 'The database does not answer. Please try again in a moment.',
}
const internal = { code: 'internal_error', message: 'Something went wrong here. Please try again.' }
