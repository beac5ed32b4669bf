import { z } from 'zod'
import type { Reader } from '#server/database/database.ts'
import { changesBetween, type WholePage } from '#server/site/versions/last-changes.ts'
import { listVersions, type PageVersion, readVersion } from '#server/site/versions/versions.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { ownerProcedure, router } from '#owner/acts/procedures.ts'
import { replaceDraft } from './draft/change-draft.ts'

/** The defaults, which are before the first version. */
const defaultsId = 0
const version = z.object({ id: z.int().min(defaultsId) })

const defaults: WholePage = { difference: { texts: {} }, files: {} }

export const versionsRouter = router({
  /**
   * Lists published versions, and the drafts before the current one: the newest first. The
   * defaults are not among them.
   */
  list: ownerProcedure.query(async ({ ctx: { server } }) => {
    const [newest, ...others] = await listVersions(server.database.ownerReads)
    const earlier = newest?.state === 'published' ? [newest, ...others] : others
    return earlier.map((one, index) => {
      const { id, state, changedAt, about } = one
      const before = publishedBefore(earlier, index)
      const changes = changesBetween(before ?? defaults, one).length
      // `isFirst`: no version before it is kept, so it is compared with the defaults.
      return { id, state, changedAt, about, changes, isFirst: before === undefined }
    })
  }),
  /** The texts of a version, and of the one that was published before it; else the defaults. */
  changes: ownerProcedure.input(version).query(async ({ ctx: { server }, input: { id } }) => {
    const versions = await listVersions(server.database.ownerReads)
    const index = versions.findIndex((one) => one.id === id)
    const found = versions[index]
    if (!found) throw noLongerKept()
    const before = publishedBefore(versions, index) ?? defaults
    return { before: before.difference.texts, after: found.difference.texts, files: found.files }
  }),
  /**
   * Makes it the draft, and keeps the one that is there. Nothing is live before it is published.
   */
  bringBack: ownerProcedure.input(version).mutation(async ({ ctx: { server }, input: { id } }) => {
    const { database, now } = server
    const { difference, files } = await findVersion(database, id)
    const wanted = { texts: difference.texts, files }
    await replaceDraft(database, wanted, { action: 'Brought a version back', now: now() })
  }),
})

/** `versions`: the newest first. */
function publishedBefore(versions: readonly PageVersion[], index: number): WholePage | undefined {
  return versions.slice(index + 1).find(({ state }) => state === 'published')
}

async function findVersion(reader: Reader, id: number): Promise<WholePage> {
  if (id === defaultsId) return defaults
  const found = await readVersion(reader, id)
  if (!found) throw noLongerKept()
  return found
}

function noLongerKept(): CommandError {
  return new CommandError('This version is no longer kept.')
}
