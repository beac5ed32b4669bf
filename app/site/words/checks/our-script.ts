import type { Content } from '#content/content.ts'
import type { CheckContext, Finding, GivenFiles } from '../finding.ts'
import {
  allFields,
  type ContentValue,
  entryFields,
  type Field,
  type ListField,
  type TextField,
  valueAt,
} from '../description.ts'
import { applyDifference, type Difference } from '../difference.ts'

/** Words that are true of our script, and seldom of another. */
export const wordsOfOurScript =
  /\b(?:EMA|(?:moving )?averages?|cross(?:over|es|ed|ing)?|two lines|chart above|(?:fast|slow|thin|heavy) (?:one|line)|(?<!bar )lengths?)\b/gi

/** Words that are true of our guide, and seldom of another. */
export const wordsOfOurGuide =
  /\b(?:10-minute(?: setup)? guide|eight steps|page \d+ of the guide)\b/gi

const messages = {
  'our script': 'This still speaks of the EMA crossover.',
  'our guide': 'This still speaks of our setup guide.',
}

/**
 * Texts that still speak of our script or guide though the owner gives away another: those that
 * nobody rewrote, and those in which its words stand. Not those that the owner called true.
 */
export function speakOfOurs(difference: Difference, { defaults, own }: CheckContext): Finding[] {
  const { script, guide } = defaults.kit
  const given = {
    script: own.script || script.isYourOwn,
    guide: own.guide || guide.isYourOwn,
  }
  if (!given.script && !given.guide) return []
  const content = applyDifference(defaults, difference)
  const settled = new Set(difference.stillTrue)
  return allFields()
    .filter(({ path }) => isShown(path, content, given))
    .flatMap((field) => textsOf(field, content))
    .filter(({ field, list }) => !settled.has(field.path) && !settled.has(list))
    .flatMap((found): Finding[] => {
      const about = subjectOf(found, defaults, given)
      const { path } = found.field
      return about ? [{ path, message: messages[about], kind: 'look', about }] : []
    })
}

/** A piece of a text. */
export interface QuotedPiece {
  /** The place in the sentence at which it begins. */
  readonly at: number
  readonly words: string
  /** These words are about our script or guide. */
  readonly isOurs: boolean
}

/** The first sentence that has words about ours, or the first of all, in pieces. */
export function quoteOurs(text: string): QuotedPiece[] {
  const sentences = text.split(/(?<=[.!?])\s+|\n+/)
  const words = new RegExp(`(${wordsOfOurScript.source}|${wordsOfOurGuide.source})`, 'gi')
  const sentence = sentences.find((one) => one.search(words) !== -1) ?? sentences[0] ?? ''
  let at = 0
  // With one group in the expression, every second piece is what it found.
  return sentence.split(words).map((piece, index) => {
    const quoted = { at, words: piece, isOurs: index % 2 === 1 }
    at += piece.length
    return quoted
  })
}

type GivenKit = Pick<GivenFiles, 'script' | 'guide'>

/** Nobody sees texts that an own file replaces, or those of a card without messages. */
function isShown(path: string, { landingPage }: Content, given: GivenKit): boolean {
  if (/^(?:setupGuide|personalPage\.guide)\./.test(path)) return !given.guide
  const isAlert = path.startsWith('landingPage.whatsIncluded.alerts.')
  return !isAlert || !given.script || landingPage.whatsIncluded.alerts.yourMessages.length > 0
}

interface FoundText {
  readonly field: TextField
  readonly value: string
  /** The path of the list that it is in, or its own. */
  readonly list: string
}

/** The texts of a field: its own, or those of all entries of a list. */
function textsOf(field: Field, content: Content, list = field.path): FoundText[] {
  const value = valueAt(content, field.path)
  if (field.kind === 'list') return entriesOf(field, value, content, list)
  return typeof value === 'string' ? [{ field, value, list }] : []
}

function entriesOf(
  field: ListField,
  value: ContentValue | undefined,
  content: Content,
  list: string,
): FoundText[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((_, index) =>
    entryFields(field, index).flatMap((entry) => textsOf(entry, content, list)),
  )
}

/** Returns undefined if it speaks of neither, as far as its words tell. */
function subjectOf(
  { field, value, list }: FoundText,
  defaults: Content,
  given: GivenKit,
): Finding['about'] {
  const { ours, path } = field
  const { script, guide } = defaults.kit
  // An entry of a list cannot be told by its place: a step that was moved would be a new one.
  const isUnchanged = path === list && value === valueAt(defaults, path)
  const has = (words: RegExp) => value.search(words) !== -1
  // In content/ with a script of its own, the default words are the owner's too.
  if (given.script && ours === 'speaks') {
    if (has(wordsOfOurScript) || (isUnchanged && !script.isYourOwn)) return 'our script'
  }
  if (given.guide) {
    const isOurs = ours === 'speaks of the guide' && isUnchanged && !guide.isYourOwn
    if (has(wordsOfOurGuide) || isOurs) return 'our guide'
  }
  return undefined
}
