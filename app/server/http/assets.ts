import { hash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type PreparedFile, sendPrepared } from './prepared-file.ts'

const mediaTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

/**
 * Serves the files of a folder below `prefix`, which ends in a slash, as the build compressed them.
 * A file is read when it is first asked for, and kept. The name of an asset holds a hash of its
 * contents: an address never gets other bytes.
 */
export function assetRoutes(app: FastifyInstance, prefix: string, folder: string): void {
  const names = new Set(readdirSync(folder))
  const kept = new Map<string, PreparedFile>()
  app.get<{ Params: { name: string } }>(`${prefix}:name`, async (request, reply) => {
    const { name } = request.params
    const mediaType = mediaTypes[extname(name)]
    if (!names.has(name) || mediaType === undefined) return reply.callNotFound()
    const file = kept.get(name) ?? (await readAsset(name, mediaType))
    kept.set(name, file)
    return sendPrepared(request, reply, file)
  })

  async function readAsset(name: string, mediaType: string): Promise<PreparedFile> {
    const read = (file: string) => (names.has(file) ? readFile(join(folder, file)) : undefined)
    const identity = await readFile(join(folder, name))
    return {
      status: 200,
      headers: {
        'content-type': mediaType,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
      },
      etag: hash('sha256', identity, 'base64url').slice(0, 16),
      bodies: { br: await read(`${name}.br`), gzip: await read(`${name}.gz`), identity },
    }
  }
}
