import type { ContentValue, Field } from '#site/words/description.ts'
import { entryFields, valueAt } from '#site/words/description.ts'
import type { OwnKinds } from '#site/words/defaults.ts'
import { textAt, type Texts } from '#owner/site/draft/draft-difference.ts'
import type { ShownDocument } from './use-preview.ts'

const shownIn: Readonly<Record<string, ShownDocument>> = {
  landingPage: 'page',
  signUp: 'page',
  note: 'note',
  notFound: 'not-found',
  starterEmail: 'mail',
  setupGuide: 'guide',
  personalPage: 'personal-page',
  whatChanged: 'personal-page',
  offer: 'personal-page',
  releases: 'personal-page',
}

/** The document that a field is shown in. Undefined: in several, or in none. */
export function fieldShownAs(path: string): ShownDocument | undefined {
  if (path === 'landingPage.shareImageAlt') return 'share-picture'
  if (/^signUp\.(?:slip|wait)/.test(path)) return 'note'
  return shownIn[path.split('.')[0] ?? '']
}

/** The page of the guide that a field stands on, from 0: the cover, a page a step, and the rest. */
export function guidePageOf(path: string, texts: Texts, own: OwnKinds): number {
  const step = /^setupGuide\.steps\.(\d+)/.exec(path)?.[1]
  if (step !== undefined) return Number(step) + 1
  if (!path.startsWith('setupGuide.paper')) return 0
  const steps = textAt(texts, 'setupGuide.steps', own)
  return Array.isArray(steps) ? steps.length + 1 : 0
}

/** The innermost element that shows a text. Undefined: the document does not show it. */
export function elementOf(shown: Document, text: ContentValue): HTMLElement | undefined {
  const words = longestPiece(text)
  if (words.length < 2) return undefined
  // In document order, an element comes before the elements in it: each match is within the last.
  const walker = shown.createTreeWalker(shown.body, NodeFilter.SHOW_ELEMENT)
  let found: HTMLElement | undefined
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (found && !found.contains(node)) break
    if (plain(node.textContent ?? '').includes(words)) found = node as HTMLElement // of HTML
  }
  return found
}

/** The path of the field whose text stands where somebody pressed. */
export function fieldAtElement(
  pressed: Element,
  fields: readonly Field[],
  texts: Texts,
  own: OwnKinds,
): string | undefined {
  const pieces = fields.flatMap((field) => piecesOf(field, textAt(texts, field.path, own)))
  for (let element: Element | null = pressed; element; element = element.parentElement) {
    const words = plain(element.textContent ?? '')
    const matching = pieces.filter(({ piece }) => piece.length > 2 && words.includes(piece))
    const best = matching.toSorted((one, other) => other.piece.length - one.piece.length)[0]
    if (best) return best.path
  }
  return undefined
}

interface TextPiece {
  path: string
  piece: string
}

function piecesOf(field: Field, value: ContentValue): TextPiece[] {
  if (field.kind !== 'list') return [{ path: field.path, piece: longestPiece(value) }]
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: ContentValue, index) => {
    return entryFields(field, index).flatMap((inner) =>
      piecesOf(inner, valueAt(entry, inner.name) ?? ''),
    )
  })
}

/** The longest piece between the names that are filled in, without marks. */
function longestPiece(text: ContentValue): string {
  if (typeof text !== 'string') return ''
  const pieces = text.split(/\{\w+\}/).map(plain)
  return pieces.toSorted((one, other) => other.length - one.length)[0] ?? ''
}

function plain(text: string): string {
  return text.replaceAll(/[*`]/g, '').replaceAll(/\s+/g, ' ').trim()
}
