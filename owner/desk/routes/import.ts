import { z } from 'zod'
import { readImport, readImportHeader } from '../../subscribers/read-import.ts'
import { groupRefusals, refusedLinesFile } from '../../subscribers/refused-lines.ts'
import { type ImportResult, runImport } from '../../subscribers/run-import.ts'
import type { OwnerRequest } from '../desk-request.ts'
import { audited, ownerProcedure, provedProcedure, router } from '../procedures.ts'

/** Some 500,000 people. */
const csv = z.string().max(32_000_000)
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
    .mutation(async ({ ctx, input }) =>
      summarizeImport(await importPeople(ctx, input, { isDryRun: true })),
    ),
  /** All lines that are refused, as a CSV file. */
  refusedLines: ownerProcedure.input(wish).mutation(async ({ ctx, input }) => {
    const { refused } = await importPeople(ctx, input, { isDryRun: true })
    return refusedLinesFile(refused)
  }),
  start: audited('Imported people', provedProcedure)
    .input(wish)
    .mutation(async ({ ctx, input }) =>
      summarizeImport(await importPeople(ctx, input, { isDryRun: false })),
    ),
})

async function importPeople(
  { server }: OwnerRequest,
  { csv: text, columns, consentedOn }: z.infer<typeof wish>,
  { isDryRun }: { isDryRun: boolean },
): Promise<ImportResult> {
  const consentedAt = consentedOn === undefined ? undefined : Date.parse(consentedOn)
  const read = await readImport(text, { columns, consentedAt, now: server.now() })
  return runImport(server, read, isDryRun)
}

/** A file may have a million lines that are refused, so only their groups are answered. */
function summarizeImport({ refused, ...counts }: ImportResult) {
  return { ...counts, refusedCount: refused.length, refusalGroups: groupRefusals(refused) }
}
