import { z } from 'zod'
import { readImport, readImportHeader } from '../../subscribers/read-import.ts'
import { groupRefusals } from '../../subscribers/refused-lines.ts'
import { runImport } from '../../subscribers/run-import.ts'
import type { OwnerRequest } from '../desk-request.ts'
import { audited, ownerProcedure, provedProcedure, router } from '../procedures.ts'

/** Some 500,000 people. */
const csv = z.string().max(32_000_000)
const refusedShown = 200
const position = z.int().min(0).max(1_000).optional()

const wish = z.object({
  csv,
  /** The position of each field in a line, from 0. */
  columns: z.object({
    email: position,
    signedUpAt: position,
    consentedAt: position,
    cover: position,
    status: position,
  }),
  /** The day on which all of them agreed. */
  consentedOn: z.iso.date().optional(),
})

export const importRouter = router({
  /**
   * The names of the columns, and which are found by their names. `csv`: the beginning is enough.
   */
  header: ownerProcedure.input(csv).mutation(({ input }) => readImportHeader(input)),
  tryOut: ownerProcedure
    .input(wish)
    .mutation(({ ctx, input }) => importPeople(ctx, input, { isDryRun: true })),
  start: audited('Imported people', provedProcedure)
    .input(wish)
    .mutation(({ ctx, input }) => importPeople(ctx, input, { isDryRun: false })),
})

async function importPeople(
  { server }: OwnerRequest,
  { csv: text, columns, consentedOn }: z.infer<typeof wish>,
  { isDryRun }: { isDryRun: boolean },
) {
  const consentedAt = consentedOn === undefined ? undefined : Date.parse(consentedOn)
  const read = await readImport(text, { columns, consentedAt, now: server.now() })
  const { refused, ...counts } = await runImport(server, read, isDryRun)
  return {
    ...counts,
    refusedCount: refused.length,
    refused: refused.slice(0, refusedShown),
    refusalGroups: groupRefusals(refused),
  }
}
