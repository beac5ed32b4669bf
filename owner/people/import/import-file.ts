import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { startImport } from './import-people.ts'
import { readImport } from './read-import.ts'
import { groupRefusals, type RefusalGroup, refusedLinesFile } from './refused-lines.ts'
import { type TriedImport, tryImport } from './try-import.ts'
import { bytesOf, type DeskRequest } from '#owner/acts/desk-request.ts'

const position = z.coerce.number().int().min(0).max(1_000).optional()

/** The query of a request whose body is a file of people. Columns are positions, from 0. */
export const importWish = z.object({
  email: position,
  signedUpAt: position,
  consentedAt: position,
  cover: position,
  status: position,
  /** The day on which all of them agreed. */
  consentedOn: z.iso.date().optional(),
})

/** It changes nothing. */
export const trialWish = importWish.extend({ act: z.enum(['try-out', 'refused-lines']) })

/** The outcome that an import would have. */
export interface ImportSummary {
  added: number
  /** Those of them who agreed to news. */
  consented: number
  known: number
  /** Lines with an address that an earlier line has. */
  duplicates: number
  refusedCount: number
  /** A file may have a million lines that are refused. */
  refusalGroups: RefusalGroup[]
}

export async function answerTrial(
  deskRequest: DeskRequest,
  { act, ...wish }: z.infer<typeof trialWish>,
): Promise<FastifyReply> {
  const { reply } = deskRequest
  const tried = await readAndTry(deskRequest, wish)
  if (act === 'try-out') return reply.send(summarize(tried))
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="lines-that-were-refused.csv"')
    .send(refusedLinesFile(tried.refused))
}

export async function answerStart(
  deskRequest: DeskRequest,
  wish: z.infer<typeof importWish>,
): Promise<FastifyReply> {
  const { server, reply } = deskRequest
  await startImport(server.database, await readAndTry(deskRequest, wish), server.now())
  return reply.send({})
}

/**
 * The file comes as bytes: a call of the API would copy and decode a large one several times while
 * visitors wait.
 */
async function readAndTry(
  { server, request }: DeskRequest,
  { consentedOn, ...columns }: z.infer<typeof importWish>,
): Promise<TriedImport> {
  const { database, now } = server
  const consentedAt = consentedOn === undefined ? undefined : Date.parse(consentedOn)
  const read = await readImport(bytesOf(request), { columns, consentedAt, now: now() })
  return tryImport(database, read)
}

function summarize({ wanted, known, duplicates, refused }: TriedImport): ImportSummary {
  return {
    added: wanted.length,
    consented: wanted.filter(({ consentedAt }) => consentedAt !== null).length,
    known,
    duplicates,
    refusedCount: refused.length,
    refusalGroups: groupRefusals(refused),
  }
}
