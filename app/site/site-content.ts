import { type Content, defaultContent } from '#content/content.ts'
import type { KitRelease } from '#content/releases.ts'
import { sampleRun, type SampleRun } from '#site/chart/sample-run.ts'
import { asShown } from '#site/kit/as-shown.ts'
import { withFacts } from '#site/kit/facts.ts'
import { type KitFileNames, scriptRelease } from '#site/kit/kit-files.ts'
import { scriptTitle } from '#site/kit/script-inputs.ts'
import { defaultsFor } from '#site/words/defaults.ts'
import { applyDifference } from '#site/words/difference.ts'
import type { OwnFile, OwnFiles, SiteSource } from './source.ts'

/** The texts and facts in the documents of a site. */
export interface SiteContent extends Content {
  /** The names by which visitors see and save the two files. */
  readonly fileNames: KitFileNames
  /**
   * The run of our script, which the chart, the note, the messages, the pictures of the guide and
   * the bridges show. Undefined: another script is given away, and they are left out.
   */
  readonly ourRun: SampleRun | undefined
  /** The guide is made from its texts. False: it is a file of the owner's. */
  readonly hasGuideTexts: boolean
}

/** The whole content of a site. `ourScript`: the one of this build. */
export function siteContent(source: SiteSource, ourScript: Uint8Array): SiteContent {
  const { difference, files } = source
  const content = applyDifference(defaultsFor(files), difference)
  const script = asShown(files.script?.bytes ?? ourScript)
  const { kit } = content
  const name = kit.script.name.trim() || scriptTitle(script)
  return {
    ...withFacts({ ...content, kit: { ...kit, script: { name } } }),
    releases: siteReleases(source.files, content.releases, scriptRelease(script)),
    fileNames: {
      script: files.script ? savedName(files.script, '.pine') : 'ema-crossover.pine',
      guide: files.guide ? savedName(files.guide, '.pdf') : 'setup-guide.pdf',
    },
    ourRun: files.script ? undefined : sampleRun,
    hasGuideTexts: !files.guide,
  }
}

function siteReleases(
  files: OwnFiles,
  listed: readonly KitRelease[],
  given: Pick<KitRelease, 'version' | 'date'>,
): readonly KitRelease[] {
  if (!files.script) return releasesOf(given, withNewerOfOurs(listed))
  return releasesOf(given, listed.length > 0 ? listed : [{ ...given, changes: [] }])
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
