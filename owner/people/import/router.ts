import { z } from 'zod'
import { addPerson } from './import-people.ts'
import { readImportHeader } from './read-import.ts'
import { findUndoable, undoImport } from './undo-import.ts'
import { text } from '#owner/acts/inputs.ts'
import { ownerProcedure, provedProcedure, router } from '#owner/acts/procedures.ts'

/** The procedures of an import beside its file. */
export const importRouter = router({
  /** The names of the columns, and which are found by their names. The input begins the file. */
  header: ownerProcedure
    .input(z.string().max(64_000))
    .mutation(({ input }) => readImportHeader(Buffer.from(input))),
  addPerson: provedProcedure
    .input(z.object({ address: text, consentedOn: z.iso.date().optional() }))
    .mutation(({ ctx: { server }, input: { address, consentedOn } }) => {
      const consentedAt = consentedOn === undefined ? undefined : Date.parse(consentedOn)
      return addPerson(server.database, { address, consentedAt }, server)
    }),
  /** The last import, if it can be undone. */
  undoable: ownerProcedure.query(async ({ ctx: { server } }) => {
    const job = await findUndoable(server.database.ownerReads, server.now())
    return job ?? null
  }),
  undo: provedProcedure.mutation(async ({ ctx: { server } }) => {
    await undoImport(server.database, server.now())
  }),
})
