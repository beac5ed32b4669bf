import { z } from 'zod'
import { newNameFor } from '../letters/letter-name.ts'
import { readSeries } from './figures.ts'
import {
  addToSeries,
  changeSeriesLetter,
  moveUp,
  removeFromSeries,
  type SeriesContext,
  seriesContext,
  switchSeries,
} from './series.ts'
import type { OwnerRequest } from '#owner/acts/desk-request.ts'
import { byName, longText, text } from '#owner/acts/inputs.ts'
import { FieldError } from '#owner/acts/field-error.ts'
import { ownerProcedure, provedProcedure, router } from '#owner/acts/procedures.ts'

const words = z.object({ subject: text, preview: text, text: longText })
const afterDays = z.int().min(1).max(60)

/** Letters that follow the kit, some days after somebody asked for news. */
export const seriesRouter = router({
  show: ownerProcedure.query(({ ctx: { server } }) =>
    readSeries(server.database.ownerReads, server.site.current.content),
  ),
  /** Returns its name. */
  add: provedProcedure.input(words.extend({ afterDays })).mutation(async ({ ctx, input }) => {
    if (input.subject.trim() === '' || input.text.trim() === '') {
      throw new FieldError('subject', 'It has no subject or no text yet.')
    }
    const name = await newNameFor(ctx.server.database.ownerReads, input.subject)
    await addToSeries(contextOf(ctx), { ...input, name })
    return name
  }),
  /** `words`: of a letter of the owner's own. */
  change: provedProcedure
    .input(byName.extend({ words: words.optional(), afterDays: afterDays.optional() }))
    .mutation(({ ctx, input: { name, ...changed } }) =>
      changeSeriesLetter(contextOf(ctx), name, changed),
    ),
  moveUp: provedProcedure
    .input(byName)
    .mutation(({ ctx, input }) => moveUp(contextOf(ctx), input.name)),
  /** Without a name the series. */
  switch: provedProcedure
    .input(z.object({ name: text.optional(), isOn: z.boolean() }))
    .mutation(({ ctx, input: { name, isOn } }) => switchSeries(contextOf(ctx), isOn, name)),
  remove: provedProcedure
    .input(byName)
    .mutation(({ ctx, input }) => removeFromSeries(contextOf(ctx), input.name)),
})

function contextOf({ server }: OwnerRequest): SeriesContext {
  const { database, now, site } = server
  const { content, mails } = site.current
  return seriesContext({ database, now, content, mails })
}
