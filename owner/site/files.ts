import { z } from 'zod'
import { type FileKind, fileKinds } from '#site/source.ts'
import { readFile } from '#server/site/content-files.ts'
import { withVersionLine } from '#site/kit/version-line.ts'
import { CommandError } from '#owner/acts/command-context.ts'
import { text } from '#owner/acts/inputs.ts'
import { ownerProcedure, router } from '#owner/acts/procedures.ts'
import { dropDraftFile, putDraftFile } from './draft/draft-files.ts'
import { type DraftedPage, readDraftedPage, readShownSource } from './draft/drafted-page.ts'
import { draftReleases } from './draft-releases.ts'
import { takeFile } from './take-file.ts'

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
      const { files } = await readDraftedPage(database)
      if (!files.script) throw new CommandError('There is no script of your own.')
      const { hash, name } = files.script
      const bytes = withVersionLine(await readFile(database, hash), input)
      await takeFile(ctx.server, { kind: 'script', name, bytes, before: hash })
    }),
  /** Ours, from the next publishing on. */
  takeOurs: ownerProcedure
    .input(z.object({ kind }))
    .mutation(async ({ ctx: { server }, input }) => {
      const { database, now } = server
      const { published } = await readDraftedPage(database)
      if (published?.files[input.kind]) {
        const drafted = { kind: input.kind, file: null, changedAt: now() }
        await database.transaction((transaction) => putDraftFile(transaction, drafted))
      } else {
        await dropDraftFile(database, input.kind)
      }
      if (input.kind === 'script') await draftReleases(server)
    }),
  /** Takes the file that is published. */
  putBack: ownerProcedure.input(z.object({ kind })).mutation(async ({ ctx: { server }, input }) => {
    await dropDraftFile(server.database, input.kind)
    if (input.kind === 'script') await draftReleases(server)
  }),
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

/** The files that the draft gives away and shows. */
export function describeFiles({ files, draftFiles }: DraftedPage): Record<FileKind, ShownFile> {
  const changed = new Set(draftFiles.map((file) => file.kind))
  const describe = (one: FileKind): ShownFile => {
    const { name = null, size = null, hash = null } = files[one] ?? {}
    return { isOwn: hash !== null, isChanged: changed.has(one), name, size, hash }
  }
  return {
    script: describe('script'),
    guide: describe('guide'),
    sharePicture: describe('sharePicture'),
    chart: describe('chart'),
    icon: describe('icon'),
  }
}
