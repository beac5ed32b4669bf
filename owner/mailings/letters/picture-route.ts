import type { FastifyInstance } from 'fastify'
import type { Reader } from '#server/database/database.ts'
import { picturesPath, readPicture } from './pictures.ts'

/** At most 2 MB each. */
const keptPictures = 8

/**
 * Serves the pictures of letters: one address for all readers, so it tells nobody who reads. A mail
 * in a browser shows them from another origin.
 */
export function addPictureRoute(app: FastifyInstance, reader: Reader): void {
  // A letter sends many readers at once. Answers share the bytes: each would otherwise hold its own
  // until its client has taken them.
  const kept = new Map<string, Buffer>()
  app.get<{ Params: { name: string } }>(`${picturesPath}:name`, async (request, reply) => {
    const { name } = request.params
    const picture = kept.get(name) ?? (await readPicture(reader, name))
    if (!picture) return reply.callNotFound()
    if (!kept.has(name) && kept.size >= keptPictures) kept.clear()
    kept.set(name, picture)
    return reply
      .type(name.endsWith('.png') ? 'image/png' : 'image/jpeg')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(picture)
  })
}
