import { type Content, defaultContent } from '#content/content.ts'
import { asShown } from '#site/kit/as-shown.ts'
import { scriptRelease } from '#site/kit/kit-files.ts'
import { applyDifference } from '#site/words/difference.ts'
import type { OwnFile, SiteSource } from './source.ts'

/** The whole content of a page of the owner's own. */
export function ownContent({ difference, files }: SiteSource): Content {
  const content = applyDifference(defaultContent, difference)
  const { script, guide } = files
  const kit = {
    script: script ? { name: savedName(script, '.pine'), isYourOwn: true } : content.kit.script,
    guide: guide ? { name: savedName(guide, '.pdf'), isYourOwn: true } : content.kit.guide,
  }
  // Our releases say nothing about a script of the owner's own.
  const isListed = difference.texts['releases'] !== undefined
  const releases = script && !isListed ? [firstRelease(script)] : content.releases
  return { ...content, kit, releases }
}

function firstRelease({ bytes }: OwnFile): Content['releases'][number] {
  return { ...scriptRelease(asShown(bytes)), changes: [] }
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
