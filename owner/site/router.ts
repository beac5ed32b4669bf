import { z } from 'zod'
import type { FileKind } from '#site/source.ts'
import type { ServerContext } from '#server/start/context.ts'
import { publish } from '#server/site/published.ts'
import { versionLine } from '#site/kit/version-line.ts'
import { asText, valueAt } from '#site/words/description.ts'
import { recordAction } from '#owner/acts/audit.ts'
import { CommandError } from '#owner/acts/command-context.ts'
import { text } from '#owner/acts/inputs.ts'
import { FieldError } from '#owner/acts/field-error.ts'
import { ownerProcedure, provedProcedure, router } from '#owner/acts/procedures.ts'
import { contentValue } from './content-value.ts'
import { dropDraft, saveDraft } from './draft/draft.ts'
import { asDifference, isKnownText, textAt } from './draft/draft-difference.ts'
import { dropDraftFile } from './draft/draft-files.ts'
import {
  describeDraft,
  type DraftedPage,
  readDraftedPage,
  readShownSource,
  readSource,
  type StoredFiles,
} from './draft/drafted-page.ts'
import { readScriptVersion } from './draft-releases.ts'
import { describeFiles, filesRouter } from './files.ts'
import { renderPreview, shownDocuments } from './preview.ts'
import { versionsRouter } from './versions.ts'

const typedText = z.object({ path: text, before: contentValue, value: contentValue })

export const pageRouter = router({
  files: filesRouter,
  versions: versionsRouter,
  /** The published page, and the draft. */
  show: ownerProcedure.query(async ({ ctx: { server } }) => {
    const reads = server.database.ownerReads
    const page = await readDraftedPage(reads)
    const { published, publishedTexts, draft, stamp } = page
    return {
      published: publishedTexts,
      /** Null: the defaults. */
      version: published ? { id: published.id, publishedAt: published.publishedAt } : null,
      draft,
      files: describeFiles(page),
      scriptVersion: await readScriptVersion(reads, page),
      /** The names of own files. */
      publishedFiles: namesOf(published?.files ?? {}),
      unknownTexts: page.unknown,
      stamp,
    }
  }),
  /** Saves what was typed. A text that another device changed meanwhile is not saved. */
  save: ownerProcedure
    .input(z.object({ writer: text, texts: z.array(typedText).max(1_000) }))
    .mutation(async ({ ctx: { server }, input }) => {
      const { database, now } = server
      const { publishedTexts } = await readDraftedPage(database)
      const unknown = input.texts.map(({ path }) => path).filter((path) => !isKnownText(path))
      const conflicts = await saveDraft(database, {
        writer: input.writer,
        texts: input.texts.filter(({ path }) => isKnownText(path)),
        publishedAt: (path) => textAt(publishedTexts, path),
        now: now(),
      })
      return { conflicts, unknown }
    }),
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
  /** `stamp`: of the draft that the owner looked at. */
  publish: provedProcedure
    .input(z.object({ stamp: text }))
    .mutation(async ({ ctx: { server }, input }) => publishDraft(server, input.stamp)),
})

function namesOf(files: StoredFiles): Partial<Record<FileKind, string>> {
  return Object.fromEntries(Object.entries(files).map(([kind, { name }]) => [kind, name]))
}

async function publishDraft(server: ServerContext, stamp: string): Promise<{ id: number }> {
  const { database } = server
  const page = await readDraftedPage(database)
  if (page.stamp !== stamp) {
    throw new CommandError('The draft was changed on another device. Look at it once more.')
  }
  const { files } = await readSource(database, page)
  if (files.script) checkRelease(page, files.script.bytes)
  const outcome = await publish(server, {
    content: asDifference(page.texts),
    files,
    about: describeDraft(page),
  })
  if (outcome.kind === 'refused') {
    const [first] = outcome.findings
    throw new FieldError(first?.path ?? '', first?.message ?? 'It cannot be published.')
  }
  await recordAction(database, { at: server.now(), action: 'Published the page', about: '' })
  await dropDraft(database, page.draft)
  for (const { kind } of page.draftFiles) await dropDraftFile(database, kind)
  return { id: outcome.version.id }
}

/** From the second version of a script on people are told what changed. */
function checkRelease({ texts }: DraftedPage, script: Uint8Array): void {
  const newest = valueAt(texts['releases'], '0')
  const version = versionLine(script)?.version
  const changes = valueAt(newest, 'changes')
  const isListed = asText(valueAt(newest, 'version')) === version
  if (isListed && Array.isArray(changes) && changes.length === 0 && isSecond(texts)) {
    throw new FieldError('releases', `Say what changed in ${version}.`)
  }
}

function isSecond({ releases }: DraftedPage['texts']): boolean {
  return Array.isArray(releases) && releases.length > 1
}
