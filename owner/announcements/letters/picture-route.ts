import type { FastifyInstance } from 'fastify'
import type { Reader } from '#server/database/database.ts'
import { picturesPath, readPicture } from './pictures.ts'

/**
 * Serves the pictures of letters: one address for all readers, so it tells nobody who reads. A mail
 * in a browser shows them from another origin.
 */
export function addPictureRoute(app: FastifyInstance, reader: Reader): void {
  app.get<{ Params: { name: string } }>(`${picturesPath}:name`, async (request, reply) => {
    const { name } = request.params
    const picture = await readPicture(reader, name)
    if (!picture) return reply.callNotFound()
    return reply
      .type(name.endsWith('.png') ? 'image/png' : 'image/jpeg')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(picture)
  })
}
