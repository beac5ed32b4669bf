import { z } from 'zod'
import { addPerson, startImport } from '../../subscribers/import/import-people.ts'
import { readImport, readImportHeader } from '../../subscribers/import/read-import.ts'
import { groupRefusals, refusedLinesFile } from '../../subscribers/import/refused-lines.ts'
import { type TriedImport, tryImport } from '../../subscribers/import/try-import.ts'
import { findUndoable, undoImport } from '../../subscribers/import/undo-import.ts'
import type { OwnerRequest } from '../desk-request.ts'
import { text } from '../inputs.ts'
import { ownerProcedure, provedProcedure, router } from '../procedures.ts'

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
    .mutation(async ({ ctx, input }) => summarizeImport(await tryOut(ctx, input))),
  /** All lines that are refused, as a CSV file. */
  refusedLines: ownerProcedure.input(wish).mutation(async ({ ctx, input }) => {
    const { refused } = await tryOut(ctx, input)
    return refusedLinesFile(refused)
  }),
  /** Begins the import, which goes on by itself. */
  start: provedProcedure.input(wish).mutation(async ({ ctx, input }) => {
    const { database, now } = ctx.server
    await startImport(database, await tryOut(ctx, input), now())
  }),
  addPerson: provedProcedure
    .input(z.object({ address: text, consentedOn: z.iso.date().optional() }))
    .mutation(({ ctx: { server }, input: { address, consentedOn } }) =>
      addPerson(server.database, { address, consentedAt: msOfDay(consentedOn) }, server),
    ),
  /** The last import, if it can be undone. */
  undoable: ownerProcedure.query(async ({ ctx: { server } }) => {
    const job = await findUndoable(server.database.ownerReads, server.now())
    return job ?? null
  }),
  undo: provedProcedure.mutation(async ({ ctx: { server } }) => {
    await undoImport(server.database, server.now())
  }),
})

function msOfDay(day: string | undefined): number | undefined {
  return day === undefined ? undefined : Date.parse(day)
}

async function tryOut(
  { server }: OwnerRequest,
  { csv: file, columns, consentedOn }: z.infer<typeof wish>,
): Promise<TriedImport> {
  const consentedAt = msOfDay(consentedOn)
  const read = await readImport(file, { columns, consentedAt, now: server.now() })
  return tryImport(server.database, read)
}

/** A file may have a million lines that are refused, so only their groups are answered. */
function summarizeImport({ wanted, known, duplicates, refused }: TriedImport) {
  return {
    added: wanted.length,
    consented: wanted.filter(({ consentedAt }) => consentedAt !== null).length,
    known,
    duplicates,
    refusedCount: refused.length,
    refusalGroups: groupRefusals(refused),
  }
}
