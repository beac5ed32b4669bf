import { z } from 'zod'
import type { FileKind } from '#renderer/source.ts'
import type { Reader } from '#server/database/database.ts'
import { listVersions, type PublishedVersion } from '#server/site/versions.ts'
import { CommandError } from '../../../command-line/command-context.ts'
import { audited, ownerProcedure, router } from '../../procedures.ts'
import { replaceDraft } from './draft.ts'
import { asTexts, textAt, type Texts } from './draft-difference.ts'
import { keepDraftFile } from './draft-files.ts'
import { readDraftedPage, type StoredFiles } from './drafted-page.ts'

/** The defaults, which are before the first version. */
const defaultsId = 0
const versionId = z.int().min(defaultsId)

/** A version as it is compared. */
interface Compared {
  texts: Texts
  files: StoredFiles
}

const nothing: Compared = { texts: {}, files: {} }

export const versionsRouter = router({
  /** The newest first, which is live; the defaults are not among them. */
  list: ownerProcedure.query(async ({ ctx: { server } }) => {
    const versions = await listVersions(server.database.ownerReads)
    return versions.map(({ id, publishedAt, about }, index) => ({
      id,
      publishedAt,
      about,
      changes: countChanges(asCompared(versions[index + 1]), asCompared(versions[index])),
    }))
  }),
  /** What a version changed of the one before it. */
  changes: ownerProcedure
    .input(z.object({ id: versionId }))
    .query(async ({ ctx: { server }, input: { id } }) => {
      const versions = await listVersions(server.database.ownerReads)
      const index = versions.findIndex((version) => version.id === id)
      return { before: asCompared(versions[index + 1]), after: asCompared(versions[index]) }
    }),
  /** Makes a draft of a version. Nothing is live before it is published. */
  bringBack: audited('Brought back the version')
    .input(z.object({ id: versionId }))
    .mutation(async ({ ctx: { server }, input: { id } }) => {
      const { database, now } = server
      const wanted = id === defaultsId ? nothing : await findVersion(database, id)
      const { published, publishedTexts } = await readDraftedPage(database)
      const paths = [...new Set([...Object.keys(publishedTexts), ...Object.keys(wanted.texts)])]
      const texts = paths
        .map((path) => ({ path, value: textAt(wanted.texts, path) }))
        .filter(({ path, value }) => !isSame(value, textAt(publishedTexts, path)))
      await replaceDraft(database, texts, now())
      const kinds = Object.keys({ ...published?.files, ...wanted.files }) as FileKind[]
      for (const kind of kinds) {
        const file = wanted.files[kind] ?? null
        if (file?.hash === published?.files[kind]?.hash) continue
        await keepDraftFile(database, { kind, file, changedAt: now() })
      }
    }),
})

async function findVersion(reader: Reader, id: number): Promise<Compared> {
  const versions = await listVersions(reader)
  const version = versions.find((one) => one.id === id)
  if (!version) throw new CommandError('This version is not kept any more.')
  return asCompared(version)
}

function asCompared(version: PublishedVersion | undefined): Compared {
  return version ? { texts: asTexts(version.difference), files: version.files } : nothing
}

function countChanges(before: Compared, after: Compared): number {
  const paths = Object.keys({ ...before.texts, ...after.texts })
  const kinds = Object.keys({ ...before.files, ...after.files }) as FileKind[]
  return (
    paths.filter((path) => !isSame(textAt(before.texts, path), textAt(after.texts, path))).length +
    kinds.filter((kind) => before.files[kind]?.hash !== after.files[kind]?.hash).length
  )
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
