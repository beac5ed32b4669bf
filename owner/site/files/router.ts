import { z } from 'zod'
import { type FileKind, fileKinds } from '#site/source.ts'
import { readFile } from '#server/site/versions/content-files.ts'
import type { StoredFile } from '#server/site/versions/versions.ts'
import type { ServerContext } from '#server/start/context.ts'
import { withVersionLine } from '#site/kit/version-line.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { text } from '#owner/acts/inputs.ts'
import { ownerProcedure, router } from '#owner/acts/procedures.ts'
import { changeDraft, revisionOf } from '../draft/change-draft.ts'
import {
  changesOf,
  type DraftedPage,
  readDraftedPage,
  readShownSource,
} from '../draft/drafted-page.ts'
import { takeFile, withFile } from './take-file.ts'

const kind = z.enum(fileKinds)

export interface ShownFile {
  /** False: ours. */
  isOwn: boolean
  /** Not as it is published. */
  isChanged: boolean
  /** Null: ours. */
  name: string | null
  /** In bytes. Null: ours. */
  size: number | null
  /** A hash of the bytes. Null: ours. */
  hash: string | null
}

export const filesRouter = router({
  /** Writes the version line into a script that has none. */
  setVersion: ownerProcedure
    .input(
      z.object({ version: z.string().regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/), date: z.iso.date() }),
    )
    .mutation(async ({ ctx, input }) => {
      const { database } = ctx.server
      const page = await readDraftedPage(database)
      const { script } = page.files
      if (!script) throw new CommandError('There is no script of your own.')
      const bytes = withVersionLine(await readFile(database, script.hash), input)
      const revision = revisionOf(page)
      await takeFile(ctx.server, { kind: 'script', name: script.name, bytes, revision })
    }),
  /** Ours, from the next publishing on. */
  takeOurs: ownerProcedure
    .input(z.object({ kind }))
    .mutation(async ({ ctx: { server }, input }) =>
      changeFile(server, input.kind, () => undefined),
    ),
  /** Takes the file that is published. */
  putBack: ownerProcedure
    .input(z.object({ kind }))
    .mutation(async ({ ctx: { server }, input }) =>
      changeFile(server, input.kind, ({ published }) => published?.files[input.kind]),
    ),
  /** The bytes of a file of the draft in base64, such as a picture to be shown. */
  read: ownerProcedure
    .input(z.object({ kind, hash: text }))
    .query(async ({ ctx: { server }, input }) => {
      const reads = server.database.ownerReads
      const { files } = await readDraftedPage(reads)
      const file = files[input.kind]
      if (file?.hash !== input.hash) return null
      const bytes = await readFile(reads, file.hash)
      return { mediaType: file.mediaType, base64: bytes.toString('base64') }
    }),
  /** The first page of the guide, or the share picture, as they would be published. */
  drawn: ownerProcedure
    .input(z.object({ kind: z.enum(['guide', 'sharePicture']) }))
    .query(async ({ ctx: { server }, input }) => {
      const reads = server.database.ownerReads
      const source = await readShownSource(reads, await readDraftedPage(reads), server.now())
      const picture =
        input.kind === 'guide'
          ? await server.renderer.drawGuidePage(source, 0)
          : (await server.renderer.make(source)).root['og.png']!
      return { mediaType: 'image/png', base64: Buffer.from(picture).toString('base64') }
    }),
})

async function changeFile(
  { database, now }: ServerContext,
  changed: FileKind,
  fileOf: (page: DraftedPage) => StoredFile | undefined,
): Promise<void> {
  await changeDraft(database, { at: now(), tab: '' }, async (page, write, transaction) => {
    await write(await withFile(transaction, page, changed, fileOf(page)))
  })
}

/** The files that the draft gives away and shows. */
export function describeFiles(page: DraftedPage): Record<FileKind, ShownFile> {
  const changed = new Set(changesOf(page).kinds)
  const describe = (one: FileKind): ShownFile => {
    const { name = null, size = null, hash = null } = page.files[one] ?? {}
    return { isOwn: hash !== null, isChanged: changed.has(one), name, size, hash }
  }
  return {
    script: describe('script'),
    guide: describe('guide'),
    sharePicture: describe('sharePicture'),
    chart: describe('chart'),
    chartDark: describe('chartDark'),
    chartPhone: describe('chartPhone'),
    portrait: describe('portrait'),
    icon: describe('icon'),
  }
}
