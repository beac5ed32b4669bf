import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { fileKinds } from '#site/source.ts'
import { exportContent } from '../content/content-file.ts'
import { bytesOf, type DeskRequest } from '#owner/acts/desk-request.ts'
import { text } from '#owner/acts/inputs.ts'
import { bringPage } from '../content/bring-page.ts'
import { takeFile } from './take-file.ts'

// The files of the page, and the page as one file: as bytes, which the API's calls do not carry.

/** The query of a file's request. */
export const givenFile = z.object({
  kind: z.enum(fileKinds),
  name: text,
  /** The page's revision that the device knows of. */
  revision: z.coerce.number().int().min(0),
})

export async function takePageFile(
  { server, request, reply }: DeskRequest,
  { kind, name, revision }: z.infer<typeof givenFile>,
): Promise<FastifyReply> {
  const conflict = await takeFile(server, { kind, name, bytes: bytesOf(request), revision })
  // The owner publishes soon after choosing a file, and files have no preview that would load the
  // tools.
  void server.renderer.warm().catch(() => {})
  return reply.send({ conflict: conflict ?? null })
}

export async function sendPage({ server, reply }: DeskRequest): Promise<FastifyReply> {
  const day = new Date(server.now()).toISOString().slice(0, 10)
  return reply
    .type('application/json; charset=utf-8')
    .header('content-disposition', `attachment; filename="page-${day}.json"`)
    .send(await exportContent(server.database.ownerReads))
}

export async function takePage({ server, request, reply }: DeskRequest): Promise<FastifyReply> {
  await bringPage(server, bytesOf(request))
  return reply.send({})
}
