import { fastifyRequestHandler } from '@trpc/server/adapters/fastify'
import type { DeskRequest } from '#owner/acts/desk-request.ts'
import { deskRouter } from './router.ts'

/** Answers a call of a procedure, which the path names. */
export function answerCall(deskRequest: DeskRequest, path: string): Promise<void> {
  return fastifyRequestHandler({
    router: deskRouter,
    req: deskRequest.request,
    res: deskRequest.reply,
    path,
    createContext: () => deskRequest,
    allowMethodOverride: true,
    onError({ error, req }) {
      if (error.code === 'INTERNAL_SERVER_ERROR') {
        const cause = error.cause ?? error
        deskRequest.server.log.error('request to the desk failed', { method: req.method, cause })
      }
    },
  })
}
