import type { FastifyInstance } from 'fastify'

/** No cache may store an answer of `scope`, and no Referer may carry its address. */
export function keepPrivate(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
  })
}
