import { z } from 'zod'
import { readImport, readImportHeader } from '../../subscribers/read-import.ts'
import { runImport } from '../../subscribers/run-import.ts'
import type { Call } from '../call.ts'
import { owner, proved, recorded, router } from '../procedures.ts'

/** Some 500,000 people. */
const csv = z.string().max(32_000_000)
const refusedShown = 200
const position = z.int().min(0).max(1_000).optional()

const wish = z.object({
  csv,
  /** The position of each field in a line, from 0. */
  columns: z.object({ email: position, signedUpAt: position, consentedAt: position, cover: position }),
  /** The day on which all of them agreed. */
  consentedOn: z.iso.date().optional(),
})

export const importRouter = router({
  /** The names of the columns, and which are found by their names. `csv`: the beginning is enough. */
  header: owner.input(csv).query(({ input }) => readImportHeader(input)),
  tryOut: owner.input(wish).query(({ ctx, input }) => importPeople(ctx, input, true)),
  start: proved
    .input(wish)
    .use(recorded('Imported people'))
    .mutation(({ ctx, input }) => importPeople(ctx, input, false)),
})

async function importPeople(
  call: Call,
  { csv: text, columns, consentedOn }: z.infer<typeof wish>,
  isDryRun: boolean,
) {
  const consentedAt = consentedOn === undefined ? undefined : Date.parse(consentedOn)
  const { people, refused } = await readImport(text, { columns, consentedAt, now: call.now() })
  const { added, known, refused: blocked } = await runImport(call, people, isDryRun)
  const lines = [...refused, ...blocked].toSorted((a, b) => a.line - b.line)
  const consented = people.filter((person) => person.consentedAt !== null).length
  return { added, known, consented, refusedCount: lines.length, refused: lines.slice(0, refusedShown) }
}
