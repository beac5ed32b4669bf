import type { FastifyInstance } from 'fastify'
import type { Database, Reader } from '#server/database/database.ts'
import { picturesPath, readPicture } from './pictures.ts'

/** All pictures of a letter, and some of the one before. */
const maxKeptBytes = 32_000_000

/**
 * Serves the pictures of letters: one address for all readers, so it tells nobody who reads. A mail
 * in a browser shows them from another origin.
 */
export function addPictureRoute(
  app: FastifyInstance,
  // Reads of the owner: large rows hold no visitor up.
  { ownerReads }: Pick<Database, 'ownerReads'>,
): void {
  const pictures = keepPictures(ownerReads)
  app.get<{ Params: { name: string } }>(`${picturesPath}:name`, async (request, reply) => {
    const { name } = request.params
    const picture = await pictures.read(name)
    if (!picture) return reply.callNotFound()
    return reply
      .type(name.endsWith('.png') ? 'image/png' : 'image/jpeg')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(picture)
  })
}

/**
 * A letter sends many readers at once. Answers share the bytes: each would otherwise hold its own
 * until its client has taken them. What was read first goes first.
 */
export function keepPictures(reader: Reader, maxBytes = maxKeptBytes) {
  const kept = new Map<string, Buffer>()
  const reading = new Map<string, Promise<Buffer | undefined>>()
  let keptBytes = 0

  async function readAndKeep(name: string): Promise<Buffer | undefined> {
    const picture = await readPicture(reader, name)
    if (!picture) return undefined
    kept.set(name, picture)
    keptBytes += picture.length
    for (const [oldest, { length }] of kept) {
      if (keptBytes <= maxBytes) break
      kept.delete(oldest)
      keptBytes -= length
    }
    return picture
  }

  return {
    /** Returns undefined if there is none of this name. */
    async read(name: string): Promise<Buffer | undefined> {
      const known = kept.get(name) ?? reading.get(name)
      if (known) return known
      const fresh = readAndKeep(name).finally(() => reading.delete(name))
      reading.set(name, fresh)
      return fresh
    },
  }
}
