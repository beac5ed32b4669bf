import { z } from 'zod'
import { type ContentValue, fieldAt } from '#words/description.ts'
import { longText, ownerProcedure, router, text } from '../../procedures.ts'
import type { Reader } from '#server/database/database.ts'

import { type FileKind, readDraftFiles } from './draft-files.ts'
import { readDraft, saveDraft } from './draft.ts'
import { stillTruePath, textAt, type Texts } from './draft-difference.ts'

/** A text, a number, a list, or an entry of a list. */
const contentValue: z.ZodType<ContentValue> = z.lazy(() =>
  z.union([longText, z.number(), z.array(contentValue).max(200), z.record(text, contentValue)]),
)

const typedText = z.object({ path: text, before: contentValue, value: contentValue })

export const pageRouter = router({
  show: ownerProcedure.query(async ({ ctx: { server } }) => {
    const reads = server.database.ownerReads
    const published: Texts = {}
    return {
      published,
      version: null as { id: number; publishedAt: number } | null,
      draft: await readDraft(reads),
      files: await describeFiles(reads),
    }
  }),
  /** Saves what was typed. A text that another device changed meanwhile is not saved. */
  save: ownerProcedure
    .input(z.object({ writer: text, texts: z.array(typedText).max(1_000) }))
    .mutation(async ({ ctx: { server }, input }) => {
      const { database, now } = server
      const published: Texts = {}
      const texts = input.texts.filter(({ path }) => isKnown(path))
      const unknown = input.texts.map(({ path }) => path).filter((path) => !isKnown(path))
      const conflicts = await saveDraft(database, {
        writer: input.writer,
        texts,
        publishedAt: (path) => textAt(published, path),
        now: now(),
      })
      return { conflicts, unknown }
    }),
})

async function describeFiles(reader: Reader) {
  const drafted = new Map((await readDraftFiles(reader)).map((file) => [file.kind, file]))
  const describe = (kind: FileKind) => {
    const file = drafted.get(kind)
    return {
      isOwn: file !== undefined && file.size !== null,
      isChanged: file !== undefined,
      name: file?.name ?? null,
      size: file?.size ?? null,
    }
  }
  return {
    script: describe('script'),
    guide: describe('guide'),
    sharePicture: describe('sharePicture'),
    chart: describe('chart'),
    icon: describe('icon'),
  }
}

function isKnown(path: string): boolean {
  const field = fieldAt(path)
  return path === stillTruePath || (field !== undefined && !('fixed' in field && field.fixed))
}
