import { z } from 'zod'
import { readImport, readImportHeader } from '../../subscribers/read-import.ts'
import { runImport } from '../../subscribers/run-import.ts'
import type { Asked } from '../call.ts'
import { act, owner, proved, router } from '../procedures.ts'

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
  }),
  /** The day on which all of them agreed. */
  consentedOn: z.iso.date().optional(),
})

export const importRouter = router({
  /**
   * The names of the columns, and which are found by their names. `csv`: the beginning is enough.
   */
  header: owner.input(csv).query(({ input }) => readImportHeader(input)),
  tryOut: owner.input(wish).query((asked) => importPeople(asked, true)),
  start: act('Imported people', proved).input(wish).mutation(importPeople),
})

async function importPeople({ ctx, input }: Asked<z.infer<typeof wish>>, isDryRun = false) {
  const { csv: text, columns, consentedOn } = input
  const consentedAt = consentedOn === undefined ? undefined : Date.parse(consentedOn)
  const read = await readImport(text, { columns, consentedAt, now: ctx.now() })
  const { refused, ...counts } = await runImport(ctx, read, isDryRun)
  return { ...counts, refusedCount: refused.length, refused: refused.slice(0, refusedShown) }
}
