import { z } from 'zod'
import type { FileKind } from '#site/source.ts'
import type { StoredFiles } from '#server/site/versions/versions.ts'
import { text } from '#owner/acts/inputs.ts'
import { ownerProcedure, provedProcedure, router } from '#owner/acts/procedures.ts'
import { contentValue } from './content/content-value.ts'
import { revisionOf, saveTexts } from './draft/change-draft.ts'
import { readDraftedPage, readShownSource } from './draft/drafted-page.ts'
import { readScriptVersion } from './files/releases.ts'
import { describeFiles, filesRouter } from './files/router.ts'
import { renderPreview, shownDocuments } from './preview.ts'
import { publishDraft } from './publish-draft.ts'
import { versionsRouter } from './versions.ts'

const revision = z.int().min(0)
const typedText = z.object({ path: text, value: contentValue, revision })

export const pageRouter = router({
  files: filesRouter,
  versions: versionsRouter,
  /** The published page, and the draft. */
  show: ownerProcedure.query(async ({ ctx: { server } }) => {
    const reads = server.database.ownerReads
    const page = await readDraftedPage(reads)
    const { published, publishedTexts, texts, files } = page
    return {
      /** Counts the changes. */
      revision: revisionOf(page),
      published: publishedTexts,
      /** Null: the defaults. */
      version: published ? { id: published.id, publishedAt: published.changedAt } : null,
      /** The texts that would be published: all that differ from the defaults. */
      texts,
      files: describeFiles(page),
      scriptVersion: await readScriptVersion(reads, files),
      /** The names of own files. */
      publishedFiles: namesOf(published?.files ?? {}),
      unknownTexts: page.unknown,
    }
  }),
  /** Saves what was typed. A text that another device changed meanwhile is not saved. */
  save: ownerProcedure
    .input(z.object({ tab: text, texts: z.array(typedText).max(1_000) }))
    .mutation(async ({ ctx: { server }, input: { tab, texts } }) =>
      saveTexts(server.database, texts, { at: server.now(), tab }),
    ),
  /** A document of the page as it would be published. `texts`: typed, and not saved yet. */
  preview: ownerProcedure
    .input(
      z.object({
        what: z.enum(shownDocuments),
        page: z.int().min(0).max(100),
        texts: z.record(text, contentValue),
      }),
    )
    .query(async ({ ctx, input: { texts, ...shown } }) => {
      const reads = ctx.server.database.ownerReads
      const page = await readDraftedPage(reads)
      const typed = { ...page, texts: { ...page.texts, ...texts } }
      const source = await readShownSource(reads, typed, ctx.server.now())
      const html = await renderPreview(ctx, source, shown)
      // The owner looks at a preview before publishing.
      void ctx.server.renderer.warm().catch(() => {})
      return { html }
    }),
  /** `revision`: of the draft that the owner looked at. */
  publish: provedProcedure
    .input(z.object({ revision }))
    .mutation(async ({ ctx: { server }, input }) => publishDraft(server, input.revision)),
})

function namesOf(files: StoredFiles): Partial<Record<FileKind, string>> {
  return Object.fromEntries(Object.entries(files).map(([kind, { name }]) => [kind, name]))
}
