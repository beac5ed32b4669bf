import { z } from 'zod'
import type { FileKind, OwnFile } from '#renderer/source.ts'
import type { Reader } from '#server/database/database.ts'
import { readFile, storeFile } from '#server/site/content-files.ts'
import { fileFault, pictureType, versionLine, withVersionLine } from '#server/site/own-files.ts'
import { valueAt } from '#words/description.ts'
import { CommandError } from '../../../command-line/command-context.ts'
import type { OwnerRequest } from '../../desk-request.ts'
import { FieldError, ownerProcedure, router, text } from '../../procedures.ts'
import { dropDraftText, writeDraftText } from './draft.ts'
import { dropDraftFile, keepDraftFile } from './draft-files.ts'
import { type DraftedPage, readDraftedPage } from './drafted-page.ts'

const fileKinds = ['script', 'guide', 'sharePicture', 'chart', 'icon'] as const
const kind = z.enum(fileKinds)
/** 10 MB in base64, and a little more, so that a file that is too large is told its size. */
const base64 = z.base64().max(30_000_000)

export interface ShownFile {
  /** False: ours. */
  isOwn: boolean
  /** Not as it is published. */
  isChanged: boolean
  /** Null: ours. */
  name: string | null
  /** In bytes. Null: ours. */
  size: number | null
  /** Of the bytes. Null: ours. */
  hash: string | null
}

export interface ScriptVersion {
  version: string
  /** YYYY-MM-DD. */
  date: string
}

export const filesRouter = router({
  /** Takes a file into the draft, or says in a sentence why not. */
  put: ownerProcedure
    .input(z.object({ kind, name: text, base64 }))
    .mutation(({ ctx, input }) =>
      takeFile(ctx, input.kind, input.name, Buffer.from(input.base64, 'base64')),
    ),
  /** Writes the version line into a script that has none. */
  setVersion: ownerProcedure
    .input(
      z.object({ version: z.string().regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/), date: z.iso.date() }),
    )
    .mutation(async ({ ctx, input }) => {
      const reads = ctx.server.database
      const { files } = await readDraftedPage(reads)
      if (!files.script) throw new CommandError('There is no script of your own.')
      const bytes = withVersionLine(await readFile(reads, files.script.hash), input)
      await takeFile(ctx, 'script', files.script.name, bytes)
    }),
  /** Ours, from the next publishing on. */
  takeOurs: ownerProcedure
    .input(z.object({ kind }))
    .mutation(async ({ ctx: { server }, input }) => {
      const { database, now } = server
      const { published } = await readDraftedPage(database)
      if (!published?.files[input.kind]) return dropDraftFile(database, input.kind)
      return keepDraftFile(database, { kind: input.kind, file: null, changedAt: now() })
    }),
  /** What is published. */
  putBack: ownerProcedure
    .input(z.object({ kind }))
    .mutation(({ ctx: { server }, input }) => dropDraftFile(server.database, input.kind)),
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
})

async function takeFile(
  { server }: OwnerRequest,
  fileKind: FileKind,
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  const { database, now } = server
  const file = { name, mediaType: mediaTypeOf(fileKind, bytes), bytes }
  const fault = faultOf(fileKind, file)
  if (fault !== undefined) throw new FieldError(fileKind, fault)
  const hash = await storeFile(database, bytes, now())
  const { mediaType } = file
  const stored = { hash, name, mediaType, size: bytes.length }
  await keepDraftFile(database, { kind: fileKind, file: stored, changedAt: now() })
  if (fileKind !== 'script') return
  await dropDraftText(database, 'stillTrue') // a new script asks again
  const line = versionLine(bytes)
  if (line) await draftRelease(server, line)
}

function mediaTypeOf(fileKind: FileKind, bytes: Uint8Array): string {
  if (fileKind === 'script') return 'text/plain; charset=utf-8'
  if (fileKind === 'guide') return 'application/pdf'
  return pictureType(bytes) ?? ''
}

/** A version line that is missing is asked for. */
function faultOf(fileKind: FileKind, file: OwnFile): string | undefined {
  const fault = fileFault(fileKind, file)
  if (fault === undefined || fileKind !== 'script') return fault
  const bytes = withVersionLine(file.bytes, { version: '1.0.0', date: '2000-01-01' })
  return fileFault(fileKind, { ...file, bytes }) === undefined ? undefined : fault
}

/** A new version of the owner's own script becomes a release, which still has to say what changed. */
async function draftRelease(
  { database, now }: OwnerRequest['server'],
  { version, date }: ScriptVersion,
): Promise<void> {
  const page = await readDraftedPage(database)
  const before = await ownReleases(database, page)
  if (before.length === 0) {
    await dropDraftText(database, 'releases')
    return
  }
  const drafted = page.texts['releases']
  const listed = Array.isArray(drafted) ? drafted : []
  const same = listed.find((release) => valueAt(release, 'version') === version)
  const others = before.filter((release) => valueAt(release, 'version') !== version)
  const changes = valueAt(same, 'changes') ?? []
  const value = [{ version, date, changes }, ...others]
  await writeDraftText(database, { path: 'releases', value, now: now() })
}

/** The published versions of the owner's script. Empty: none was published. */
async function ownReleases(reader: Reader, { published, publishedTexts }: DraftedPage) {
  const script = published?.files.script
  if (!script) return []
  const listed = publishedTexts['releases']
  if (Array.isArray(listed)) return listed
  const first = versionLine(await readFile(reader, script.hash))
  return first ? [{ ...first, changes: [] }] : []
}

/** What the draft gives away and shows. */
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

/** Null: there is no script of the owner's own, or it has no version line. */
export async function readScriptVersion(
  reader: Reader,
  { files: { script } }: DraftedPage,
): Promise<ScriptVersion | null> {
  return script ? (versionLine(await readFile(reader, script.hash)) ?? null) : null
}
