import type { Content } from '#content/content.ts'
import type { CheckContext, Finding } from '../finding.ts'
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
  /\b(?:EMA|(?:moving )?averages?|cross(?:over|es|ed|ing)?|two lines|(?:fast|slow|thin|heavy) (?:one|line)|(?<!bar )lengths?)\b/gi

/**
 * Texts that still speak of our script though the owner gives away another: those that nobody
 * rewrote, and those in which its words stand. Not those that the owner called true.
 */
export function speakOfOurScript(
  difference: Difference,
  { defaults, own }: CheckContext,
): Finding[] {
  const content = applyDifference(defaults, difference)
  const settled = new Set(difference.stillTrue)
  return allFields()
    .filter(({ path }) => isShown(path, content, own))
    .flatMap((field) => textsOf(field, content))
    .filter(({ field, value }) => speaks(field, value, defaults))
    .filter(({ field, list }) => !settled.has(field.path) && !settled.has(list))
    .map(({ field }) => ({
      path: field.path,
      message: 'This still speaks of the EMA crossover.',
      kind: 'look',
      about: 'our script',
    }))
}

/** What an own guide replaces, and a card without messages, are shown to nobody. */
function isShown(path: string, { landingPage }: Content, own: CheckContext['own']): boolean {
  if (path.startsWith('setupGuide.')) return !own.guide
  const isAlert = path.startsWith('landingPage.whatsIncluded.alerts.')
  return !isAlert || landingPage.whatsIncluded.alerts.yourMessages.length > 0
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

function speaks({ ours, path }: TextField, value: string, defaults: Content): boolean {
  if (ours !== 'speaks') return false
  if (value.search(wordsOfOurScript) !== -1) return true
  // A text in a list has no words of its own to tell it by: a step that moved would be a new one.
  const isInList = /\.\d+(?:\.|$)/.test(path)
  return !isInList && value === valueAt(defaults, path)
}
