import { type Content, defaultContent } from '#content/content.ts'
import type { PublishedVersion } from '#server/site/versions.ts'
import { speakOfOurs } from '#site/words/checks/our-script.ts'
import type { Finding } from '#site/words/finding.ts'

export interface LeftPlaceholder {
  /** The field's, such as `brand.creatorName`. */
  path: string
  text: string
}

/** Two words or more in square brackets, or one that is a whole text. */
const pattern = /\[\p{Lu}\p{L}*(?:[ '-]\p{L}+)+\]|^\[\p{Lu}\p{L}*\]$/gu

/** `[Creator name]` and the like that the owner has not replaced. */
export function leftPlaceholders(content: Content): LeftPlaceholder[] {
  return textsIn(content, '').flatMap(({ path, text }) =>
    (text.match(pattern) ?? []).map((found) => ({ path, text: found })),
  )
}

/** Texts that still speak of our script or guide, though another is given away. */
export function textsAboutOurs(
  published: Pick<PublishedVersion, 'difference' | 'files'> | undefined,
): readonly Finding[] {
  const { difference, files } = published ?? { difference: { texts: {} }, files: {} }
  const own = {
    script: files.script !== undefined,
    guide: files.guide !== undefined,
    sharePicture: files.sharePicture !== undefined,
  }
  return speakOfOurs(difference, { defaults: defaultContent, own })
}

function textsIn(value: unknown, path: string): LeftPlaceholder[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) =>
    textsIn(one, path === '' ? name : `${path}.${name}`),
  )
}
