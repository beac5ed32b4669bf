import type { Reader } from '#server/database/database.ts'
import { readFile } from '#server/site/versions/content-files.ts'
import { versionLine } from '#site/kit/version-line.ts'
import type { StoredFiles } from '#server/site/versions/versions.ts'
import { type ContentValue, valueAt } from '#site/words/description.ts'
import type { WholeDraft } from '../draft/change-draft.ts'
import { textAt, type Texts } from '../draft/draft-difference.ts'
import type { DraftedPage } from '../draft/drafted-page.ts'

export interface ScriptVersion {
  version: string
  /** YYYY-MM-DD. */
  date: string
}

const path = 'releases'

/**
 * The draft with a list of versions that fits its script. A new version of the owner's own becomes
 * a release, which still has to say what changed. Call it with every change of the script.
 */
export async function withReleases(
  reader: Reader,
  page: DraftedPage,
  { texts, files }: WholeDraft,
): Promise<WholeDraft> {
  const releases = await releasesOf(reader, page, { texts, files })
  return { files, texts: { ...texts, [path]: releases } }
}

/**
 * Returns ours for our script, and an empty list for the first version of the owner's, which is
 * read from its version line. Else the drafted version comes before those that are published.
 */
async function releasesOf(
  reader: Reader,
  page: Pick<DraftedPage, 'published' | 'publishedTexts'>,
  { texts, files }: WholeDraft,
): Promise<ContentValue> {
  const { published, publishedTexts } = page
  const unwritten = textAt({}, path, files)
  if (!files.script) return unwritten
  if (files.script.hash === published?.files.script?.hash) {
    return textAt(publishedTexts, path, files)
  }
  const drafted = await readScriptVersion(reader, files)
  const publishedReleases = await readPublishedReleases(reader, page)
  if (!drafted || publishedReleases.length === 0) return unwritten
  const hasVersion = (release: ContentValue) => valueAt(release, 'version') === drafted.version
  const ownReleases = asList(texts[path] ?? [])
  const changes = valueAt(ownReleases.find(hasVersion), 'changes') ?? []
  const earlier = publishedReleases.filter((release) => !hasVersion(release))
  return [{ ...drafted, changes }, ...earlier]
}

/** The published versions of the owner's script. Empty: none was published. */
async function readPublishedReleases(
  reader: Reader,
  { published, publishedTexts }: { published: DraftedPage['published']; publishedTexts: Texts },
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
  { script }: StoredFiles,
): Promise<ScriptVersion | null> {
  if (!script) return null
  return versionLine(await readFile(reader, script.hash)) ?? null
}
