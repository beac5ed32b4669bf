import type { Content } from '#content/content.ts'
import type { DrawnDocument } from '#content/schema.ts'
import { factNames } from '#site/kit/facts.ts'
import { isDay } from '#site/text/day-in-words.ts'
import { splitAtNames } from '#site/text/fill.ts'
import { checkContrast, isColour } from './checks/colours.ts'
import { lettersIn, missingInDrawings, missingOnPage } from './checks/letters.ts'
import { linkFault } from './checks/links.ts'
import {
  allFields,
  asText,
  type ContentValue,
  entryFields,
  type Field,
  fieldAt,
  fieldGroups,
  type ListField,
  type TextField,
  valueAt,
} from './description.ts'
import { defaultsFor, type OwnKinds } from './defaults.ts'
import { applyDifference, type Difference } from './difference.ts'
import type { Finding } from './finding.ts'

/**
 * All findings about the owner's texts, in the order in which the desk shows the fields. `own`: the
 * files that they give away or show instead of ours.
 */
export function checkContent(difference: Difference, own: OwnKinds): Finding[] {
  const content = applyDifference(defaultsFor(own), difference)
  const texts = Object.entries(difference.texts).flatMap(([path, value]) =>
    checkText(path, value, own),
  )
  const findings = [
    ...texts,
    ...checkContrast(content.palette),
    ...checkWholeParts(content),
    ...checkAllMinutes(content),
    ...checkRule(content, own),
  ]
  return findings.toSorted((one, other) => positionOf(one.path) - positionOf(other.path))
}

const positions = new Map(
  fieldGroups()
    .flatMap(({ parts }) => parts.flatMap(({ fields }) => fields))
    .map(({ path }, index) => [path, index]),
)

/**
 * The position of a field, or of the list whose entry it is. A text that does not exist is last.
 */
function positionOf(path: string): number {
  const position = positions.get(path)
  if (position !== undefined) return position
  return path.includes('.') ? positionOf(path.slice(0, path.lastIndexOf('.'))) : positions.size
}

/** The findings about one field as it is typed. */
function checkText(path: string, value: ContentValue, own: OwnKinds): Finding[] {
  const field = fieldAt(path)
  if (!field) return [fault(path, `There is no text “${path}”.`)]
  return checkField(field, value, own)
}

function checkField(field: Field, value: ContentValue, own: OwnKinds): Finding[] {
  if (field.kind === 'list') return checkList(field, value, own)
  if (typeof value !== 'string' && typeof value !== 'number') {
    return [fault(field.path, 'A text must stand here.')]
  }
  const typed = String(value)
  const message = faultOf(field, typed, own)
  if (message !== undefined) return [fault(field.path, message)]
  return checkLetters(field, typed, own)
}

function checkList(list: ListField, value: ContentValue, own: OwnKinds): Finding[] {
  if (!Array.isArray(value)) return [fault(list.path, 'A list must stand here.')]
  const { path, min, max } = list
  const entries: Finding[] = value.flatMap((entry, index) => [
    ...unknownParts(list, index, entry),
    ...entryFields(list, index).flatMap((field) => {
      const part = field.name === '' ? entry : valueAt(entry, field.name)
      return checkField(field, part ?? (field.kind === 'list' ? [] : ''), own)
    }),
  ])
  if (value.length < min) {
    return [fault(path, `At least ${entriesInWords(min)} must stand here.`)]
  }
  if (value.length > max) {
    return [fault(path, `It has ${value.length} entries; ${max} are the most.`)]
  }
  return entries
}

function entriesInWords(count: number): string {
  return count === 1 ? 'one entry' : `${count} entries`
}

/** A part of an entry that no entry of the list has. */
function unknownParts(list: ListField, index: number, entry: ContentValue): Finding[] {
  if (typeof entry !== 'object' || Array.isArray(entry)) return []
  const known = new Set(list.entries.map(({ name }) => name.split('.')[0]))
  return Object.keys(entry)
    .filter((name) => name !== 'id' && !known.has(name))
    .map((name) => `${list.path}.${index}.${name}`)
    .map((path) => fault(path, `There is no text “${path}”.`))
}

/**
 * Control characters, surrogates without their pair, and marks that turn the direction of texts.
 */
const unprintable = /[^\P{C}\u{AD}\u{200C}\u{200D}]/u

/** The first thing that is wrong with a text, in words. Undefined: nothing. */
function faultOf(field: TextField, typed: string, own: OwnKinds): string | undefined {
  const bad = unprintable.exec(field.kind === 'lines' ? typed.replaceAll('\n', ' ') : typed)
  if (bad) return `It has a character that cannot be printed (${codeOf(bad[0])}). Type it again.`
  if (typed.trim() === '') return field.optional ? undefined : 'A text must stand here.'
  const letters = lettersIn(typed).length
  if (field.room !== undefined && letters > field.room) {
    return `It has ${letters} letters; ${field.room} have room.`
  }
  return faultOfKind(field, typed) ?? faultOfNames(field, typed, own)
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

function faultOfKind(field: TextField, typed: string): string | undefined {
  if (field.kind === 'link') return linkFault(typed)
  if (field.kind === 'colour') {
    return isColour(typed) ? undefined : 'A colour is # and six digits or letters a to f.'
  }
  if (field.kind === 'choice') {
    return Object.hasOwn(field.choices ?? {}, typed) ? undefined : 'Choose one of the list.'
  }
  if (field.kind === 'number') {
    const { from = 0, to = 0 } = field
    const isWithin = /^\d+$/.test(typed) && Number(typed) >= from && Number(typed) <= to
    return isWithin ? undefined : `It is a whole number from ${from} to ${to}.`
  }
  return field.format && formatFaults[field.format](typed)
}

const formatFaults: Readonly<
  Record<NonNullable<TextField['format']>, (typed: string) => string | undefined>
> = {
  language: (typed) => (isLanguage(typed) ? undefined : 'A language is a tag such as fr.'),
  version: (typed) =>
    /^\d+\.\d+\.\d+$/.test(typed) ? undefined : 'A version has three numbers, such as 1.0.0.',
  day: (typed) =>
    /^\d{4}-\d{2}-\d{2}$/.test(typed) && isDay(typed)
      ? undefined
      : 'A day is written as 2026-11-30.',
}

/** Names in braces that are not filled in here, and those that the text cannot do without. */
function faultOfNames(field: TextField, typed: string, own: OwnKinds) {
  if (field.verbatim) return undefined
  const names = namesIn(typed)
  const missing = field.needs?.find((name) => !names.includes(name))
  if (missing !== undefined) return `It needs {${missing}}, which is filled in.`
  const known = knownNames(field, own)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return undefined
  const use = known.map((name) => `{${name}}`).join(', ')
  return `Nothing is filled in for {${unknown}} here.${use ? ` Known: ${use}.` : ''}`
}

function knownNames(field: TextField, own: OwnKinds): readonly string[] {
  if (field.isFact) return []
  const value = valueAt(defaultsFor(own), field.path)
  const ofDefault = typeof value === 'string' ? namesIn(value) : []
  const ofPart = (field.names ?? []).filter((name) => name !== 'bridges' || !own.script)
  return [...new Set([...(field.needs ?? []), ...ofDefault, ...ofPart, ...factNames])]
}

function namesIn(typed: string): string[] {
  return splitAtNames(typed).flatMap((piece) => (typeof piece === 'string' ? [] : piece.name))
}

const documentNames: Record<DrawnDocument, string> = {
  guide: 'guide',
  sharePicture: 'share picture',
}

function checkLetters(field: TextField, typed: string, own: OwnKinds): Finding[] {
  if (field.kind !== 'text' && field.kind !== 'lines') return []
  const { path, drawn = [], hidden, inMail } = field
  const missing = missingInDrawings(typed)
  const lacking = drawn.find((document) => !own[document])
  if (missing !== undefined && lacking) {
    return [fault(path, `The ${documentNames[lacking]}’s font has no “${missing}”.`)]
  }
  const onPage = missingOnPage(typed)
  if (onPage === undefined || hidden || inMail) return []
  const message = `The page’s font has no “${onPage}”. It is shown in another face.`
  return [{ path, message, kind: 'warning' }]
}

/** Another script needs a rule of its own: what ours does is not true of it. */
function checkRule({ kit }: Content, own: OwnKinds): Finding[] {
  if (!own.script || kit.rule.trim() !== '') return []
  return [fault('kit.rule', 'Say in one sentence what your script does.')]
}

/** Finds parts that are given by half, such as an offer with a title and no link. */
function checkWholeParts(content: Content): Finding[] {
  const mayBeEmpty = allFields().filter(({ optional }) => optional)
  const parts = Map.groupBy(mayBeEmpty, ({ wholePart }) => wholePart)
  parts.delete(undefined)
  return [...parts.values()].flatMap((fields) => {
    const empty = fields.filter(({ path }) => asText(valueAt(content, path)).trim() === '')
    if (empty.length === fields.length) return []
    return empty.map(({ path }) => fault(path, 'A text must stand here, or in none of this part.'))
  })
}

function checkAllMinutes(content: Content): Finding[] {
  return allFields().flatMap((field) => {
    if (field.kind !== 'list' || !field.timed) return []
    const entries = valueAt(content, field.path)
    return Array.isArray(entries) ? checkMinutes(field.path, entries) : []
  })
}

interface Timed {
  readonly minute?: number
  readonly untilMinute?: number
}

function checkMinutes(list: string, entries: readonly Timed[]): Finding[] {
  return entries.flatMap(({ minute, untilMinute }, index) => {
    const path = `${list}.${index}`
    const before = entries[index - 1]
    if (minute === undefined && untilMinute === undefined) return []
    if (minute === undefined || untilMinute === undefined) {
      return [fault(`${path}.minute`, 'A step has both minutes or none.')]
    }
    if (before && before.untilMinute === undefined) {
      return [fault(`${path}.minute`, 'The step above it has no minutes.')]
    }
    if (before && minute < (before.untilMinute ?? 0)) {
      return [fault(`${path}.minute`, 'It begins before the step above it ends.')]
    }
    return untilMinute < minute ? [fault(`${path}.untilMinute`, 'It ends before it begins.')] : []
  })
}

function fault(path: string, message: string): Finding {
  return { path, message, kind: 'fault' }
}

function isLanguage(typed: string): boolean {
  if (!/^[a-z]{2,3}(?:-|$)/i.test(typed)) return false // "English" has the form of a tag
  try {
    return Intl.getCanonicalLocales(typed).length > 0
  } catch {
    return false
  }
}
