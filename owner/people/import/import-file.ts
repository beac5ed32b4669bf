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
  /** `try-out` and `refused-lines` change nothing. */
  act: z.enum(['try-out', 'refused-lines', 'start']),
  email: position,
  signedUpAt: position,
  consentedAt: position,
  cover: position,
  status: position,
  /** The day on which all of them agreed. */
  consentedOn: z.iso.date().optional(),
})

type ImportWish = z.infer<typeof importWish>

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

/**
 * The file comes as bytes: a call of the API would copy and decode a large one several times while
 * visitors wait.
 */
export async function answerImport(
  { server, request, reply }: DeskRequest,
  { act, consentedOn, ...columns }: ImportWish,
): Promise<FastifyReply> {
  const { database, now } = server
  const consentedAt = consentedOn === undefined ? undefined : Date.parse(consentedOn)
  const read = await readImport(bytesOf(request), { columns, consentedAt, now: now() })
  const tried = await tryImport(database, read)
  if (act === 'try-out') return reply.send(summarize(tried))
  if (act === 'refused-lines') {
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="lines-that-were-refused.csv"')
      .send(refusedLinesFile(tried.refused))
  }
  await startImport(database, tried, now())
  return reply.send({})
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
