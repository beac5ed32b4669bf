import { z } from 'zod'
import type { FileKind } from '#site/source.ts'
import type { Reader } from '#server/database/database.ts'
import { listVersions, type PublishedVersion } from '#server/site/versions.ts'
import { CommandError } from '#owner/acts/command-context.ts'
import { ownerProcedure, router } from '#owner/acts/procedures.ts'
import { asTexts, isSame, textAt } from './draft/draft-difference.ts'
import { listKeptDrafts, type WholeDraft } from './draft/kept-drafts.ts'
import { replaceDraft } from './draft/replace-draft.ts'

/** The defaults, which are before the first version. */
const defaultsId = 0
const versionId = z.int().min(defaultsId)
const version = z.object({ kind: z.enum(['version', 'draft']), id: versionId })

const nothing: WholeDraft = { texts: {}, files: {} }

export const versionsRouter = router({
  /** The newest first, the first of which is live. The defaults are not among them. */
  list: ownerProcedure.query(async ({ ctx: { server } }) => {
    const versions = await listVersions(server.database.ownerReads)
    return versions.map(({ id, publishedAt, about }, index) => ({
      id,
      publishedAt,
      about,
      changes: countChanges(wholeDraftOf(versions[index + 1]), wholeDraftOf(versions[index])),
    }))
  }),
  /** Drafts that another one took the place of, the newest first. */
  keptDrafts: ownerProcedure.query(async ({ ctx: { server } }) => {
    const kept = await listKeptDrafts(server.database.ownerReads)
    return kept.map(({ id, keptAt, about }) => ({ id, keptAt, about }))
  }),
  /** Returns what a version changed of the one before it, or a kept draft of what is published. */
  changes: ownerProcedure.input(version).query(async ({ ctx: { server }, input: { kind, id } }) => {
    const reads = server.database.ownerReads
    const versions = await listVersions(reads)
    if (kind === 'draft') {
      return { before: wholeDraftOf(versions[0]), after: await findKeptDraft(reads, id) }
    }
    const index = versions.findIndex((one) => one.id === id)
    return { before: wholeDraftOf(versions[index + 1]), after: wholeDraftOf(versions[index]) }
  }),
  /** Makes it the draft, and keeps the one that is there. Nothing is live before it is published. */
  bringBack: ownerProcedure
    .input(version)
    .mutation(async ({ ctx: { server }, input: { kind, id } }) => {
      const { database, now } = server
      const find = kind === 'draft' ? findKeptDraft : findVersion
      const wanted = await find(database, id)
      await replaceDraft(database, wanted, { action: 'Brought a version back', now: now() })
    }),
})

async function findVersion(reader: Reader, id: number): Promise<WholeDraft> {
  if (id === defaultsId) return nothing
  const versions = await listVersions(reader)
  const found = versions.find((one) => one.id === id)
  if (!found) throw new CommandError('This version is no longer kept.')
  return wholeDraftOf(found)
}

async function findKeptDraft(reader: Reader, id: number): Promise<WholeDraft> {
  const drafts = await listKeptDrafts(reader)
  const found = drafts.find((one) => one.id === id)
  if (!found) throw new CommandError('This draft is no longer kept.')
  return found
}

/** Undefined stands for the defaults, which are before the first version. */
function wholeDraftOf(published: PublishedVersion | undefined): WholeDraft {
  if (!published) return nothing
  return { texts: asTexts(published.difference), files: published.files }
}

function countChanges(before: WholeDraft, after: WholeDraft): number {
  const paths = Object.keys({ ...before.texts, ...after.texts })
  const kinds = Object.keys({ ...before.files, ...after.files }) as FileKind[]
  const changedPaths = paths.filter(
    (path) => !isSame(textAt(before.texts, path), textAt(after.texts, path)),
  )
  const changedKinds = kinds.filter((kind) => before.files[kind]?.hash !== after.files[kind]?.hash)
  return changedPaths.length + changedKinds.length
}
