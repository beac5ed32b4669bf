import type { OwnKinds } from '#site/words/defaults.ts'
import { textAt, type Texts } from '#owner/site/draft/draft-difference.ts'
import type { ShownDocument } from './use-preview.ts'

const shownIn = new Map<string, ShownDocument>([
  ['landingPage', 'page'],
  ['signUp', 'page'],
  ['note', 'note'],
  ['notFound', 'not-found'],
  ['privacy', 'privacy'],
  ['starterEmail', 'mail'],
  ['setupGuide', 'guide'],
  ['personalPage', 'personal-page'],
  ['firstAlert', 'personal-page'],
  ['whatChanged', 'personal-page'],
  ['offer', 'personal-page'],
  ['releases', 'personal-page'],
])

/** The document that a field is shown in. Undefined: in several, or in none. */
export function fieldShownAs(path: string): ShownDocument | undefined {
  if (path === 'landingPage.shareImageAlt') return 'share-picture'
  if (/^signUp\.(?:slip|wait)/.test(path)) return 'note'
  return shownIn.get(path.split('.')[0] ?? '')
}

/** The page of the guide that a field stands on, from 0: the cover, a page a step, and the rest. */
export function guidePageOf(path: string, texts: Texts, own: OwnKinds): number {
  const step = /^setupGuide\.steps\.(\d+)/.exec(path)?.[1]
  if (step !== undefined) return Number(step) + 1
  if (!path.startsWith('setupGuide.paper')) return 0
  const steps = textAt(texts, 'setupGuide.steps', own)
  return Array.isArray(steps) ? steps.length + 1 : 0
}
