import { type Content, defaultContent } from '#content/content.ts'
import type { KitRelease } from '#content/releases.ts'
import { asShown } from '#site/kit/as-shown.ts'
import { scriptRelease } from '#site/kit/kit-files.ts'
import { applyDifference } from '#site/words/difference.ts'
import type { OwnFile, SiteSource } from './source.ts'

/** The whole content of a site. `ourScript`: the one of this build. */
export function siteContent({ difference, files }: SiteSource, ourScript: Uint8Array): Content {
  const content = applyDifference(defaultContent, difference)
  const { script, guide } = files
  const kit = {
    script: script ? { name: savedName(script, '.pine'), isYourOwn: true } : content.kit.script,
    guide: guide ? { name: savedName(guide, '.pdf'), isYourOwn: true } : content.kit.guide,
  }
  const isListed = difference.texts['releases'] !== undefined
  const given = scriptRelease(asShown(script?.bytes ?? ourScript))
  const releases = script
    ? releasesOf(given, isListed ? content.releases : [{ ...given, changes: [] }])
    : releasesOf(given, withNewerOfOurs(content.releases))
  return { ...content, kit, releases }
}

/** The owner may have changed the words of a list that has grown since. */
function withNewerOfOurs(listed: readonly KitRelease[]): readonly KitRelease[] {
  const ours = defaultContent.releases
  const known = ours.findIndex(({ version }) => version === listed[0]?.version)
  return [...ours.slice(0, Math.max(0, known)), ...listed]
}

/** A list counts if it begins with the version that is given away. */
function releasesOf(
  { version, date }: { version: string; date: string },
  listed: readonly KitRelease[],
): readonly KitRelease[] {
  const [newest] = listed
  return newest?.version === version && newest.date === date ? listed : []
}

/**
 * The name by which a visitor saves it: Latin letters without marks, digits, hyphens, underscores.
 */
function savedName({ name }: OwnFile, ending: string): string {
  const stem = name
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return `${stem || 'starter'}${ending}`
}
