import { z } from 'zod'
import { addDraft, changeDraft, readDrafts, removeDraft } from './drafts.ts'
import { addPicture, maxPictureBytes } from './pictures.ts'
import { longText, text } from '#owner/acts/inputs.ts'
import { ownerProcedure, router } from '#owner/acts/procedures.ts'

const words = z.object({ subject: text, preview: text, text: longText })
const byDraft = z.object({ draft: text })

/** The drafts of letters. The server keeps them, so that another browser goes on with them. */
export const lettersRouter = router({
  /** The one changed last comes first. */
  drafts: ownerProcedure.query(({ ctx: { server } }) => readDrafts(server.database.ownerReads)),
  /** Returns the new draft's id. Added again under the same id, its words are replaced. */
  add: ownerProcedure
    .input(byDraft.extend(words.shape).partial())
    .mutation(({ ctx: { server }, input }) => {
      const { draft, subject = '', preview = '', text: body = '' } = input
      return server.database.transaction((transaction) =>
        addDraft(transaction, { subject, preview, text: body }, server.now(), draft),
      )
    }),
  save: ownerProcedure
    .input(byDraft.extend(words.partial().shape))
    .mutation(({ ctx: { server }, input: { draft, ...changed } }) =>
      changeDraft(server.database, draft, changed, server.now()),
    ),
  /** Keeps a PNG or JPEG, and returns its path for the Markdown. */
  addPicture: ownerProcedure
    .input(z.object({ content: z.base64().max(Math.ceil((4 * maxPictureBytes) / 3) + 4) }))
    .mutation(({ ctx: { server }, input: { content } }) =>
      addPicture(server.database, Buffer.from(content, 'base64'), server.now()),
    ),
  remove: ownerProcedure
    .input(byDraft)
    .mutation(({ ctx: { server }, input: { draft } }) =>
      server.database.transaction((transaction) => removeDraft(transaction, draft)),
    ),
})
