import type { Reader } from '#server/database/database.ts'
import { readFile } from '#server/site/content-files.ts'
import { versionLine } from '#site/kit/version-line.ts'
import type { ServerContext } from '#server/start/context.ts'
import { type ContentValue, valueAt } from '#site/words/description.ts'
import { dropDraftText, writeDraftText } from './draft/draft.ts'
import { isSame, textAt } from './draft/draft-difference.ts'
import { type DraftedPage, readDraftedPage } from './draft/drafted-page.ts'

export interface ScriptVersion {
  version: string
  /** YYYY-MM-DD. */
  date: string
}

const path = 'releases'

/**
 * Makes the list of versions fit the script of the draft. A new version of the owner's own becomes
 * a release, which still has to say what changed. Call it after every change of the script.
 */
export async function draftReleases({ database, now }: ServerContext): Promise<void> {
  const page = await readDraftedPage(database)
  const value = await releasesOf(database, page)
  if (isSame(value, textAt(page.publishedTexts, path))) {
    await dropDraftText(database, path)
  } else {
    await writeDraftText(database, { path, value, now: now() })
  }
}

/**
 * Returns ours for our script, and for the first version of the owner's, which is read from its
 * version line. Else the drafted version comes before those that are published.
 */
async function releasesOf(reader: Reader, page: DraftedPage): Promise<ContentValue> {
  const { published, publishedTexts, files, texts } = page
  const ours = textAt({}, path)
  if (!files.script) return ours
  if (files.script.hash === published?.files.script?.hash) return textAt(publishedTexts, path)
  const drafted = await readScriptVersion(reader, page)
  const publishedReleases = await readPublishedReleases(reader, page)
  if (!drafted || publishedReleases.length === 0) return ours
  const hasVersion = (release: ContentValue) => valueAt(release, 'version') === drafted.version
  // Without a list of the owner's there is nothing to keep: ours has versions of the same number.
  const ownReleases = asList(texts[path] ?? [])
  const changes = valueAt(ownReleases.find(hasVersion), 'changes') ?? []
  const earlier = publishedReleases.filter((release) => !hasVersion(release))
  return [{ ...drafted, changes }, ...earlier]
}

/** The published versions of the owner's script. Empty: none was published. */
async function readPublishedReleases(
  reader: Reader,
  { published, publishedTexts }: DraftedPage,
): Promise<readonly ContentValue[]> {
  const script = published?.files.script
  if (!script) return []
  if (publishedTexts[path] !== undefined) return asList(publishedTexts[path])
  const first = versionLine(await readFile(reader, script.hash))
  return first ? [{ ...first, changes: [] }] : []
}

function asList(value: ContentValue): readonly ContentValue[] {
  return Array.isArray(value) ? value : []
}

/** Null: there is no script of the owner's own, or it has no version line. */
export async function readScriptVersion(
  reader: Reader,
  { files: { script } }: Pick<DraftedPage, 'files'>,
): Promise<ScriptVersion | null> {
  if (!script) return null
  return versionLine(await readFile(reader, script.hash)) ?? null
}
