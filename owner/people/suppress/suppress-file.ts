import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { bytesOf, type DeskRequest } from '#owner/acts/desk-request.ts'
import { readSuppressed } from './read-suppressed.ts'
import { startSuppress, type TriedSuppress, trySuppress } from './suppress-people.ts'

/** The query of a request whose body is a table of people to take off the list. */
export const suppressWish = z.object({
  reason: z.enum(['returned', 'complaint', 'unsubscribed']).optional(),
})

type SuppressWish = z.infer<typeof suppressWish>

export type SuppressSummary = Omit<TriedSuppress, 'reports'>

/** It changes nothing. */
export async function answerTriedSuppress(
  deskRequest: DeskRequest,
  wish: SuppressWish,
): Promise<FastifyReply> {
  const { reports: _, ...summary } = await readAndTry(deskRequest, wish)
  return deskRequest.reply.send(summary satisfies SuppressSummary)
}

export async function answerStartedSuppress(
  deskRequest: DeskRequest,
  wish: SuppressWish,
): Promise<FastifyReply> {
  const { server, reply } = deskRequest
  await startSuppress(server.database, await readAndTry(deskRequest, wish), server.now())
  return reply.send({})
}

async function readAndTry(
  { server, request }: DeskRequest,
  wish: SuppressWish,
): Promise<TriedSuppress> {
  const reports = await readSuppressed(bytesOf(request), wish)
  return trySuppress(server.database, reports, server.config)
}
