import { contentDescription } from './described/content-description.ts'
import type {
  Aside,
  EntryDescription,
  ListDescription,
  TextDescription,
} from './described/describe.ts'
import { groupPlans } from './groups.ts'

export type { TextDescription }

/** One text, or one list, of the content. */
export type Field = TextField | ListField

export interface TextField extends TextDescription {
  /** Such as `landingPage.hero.heading.0`. It is the name of the field, and stays. */
  readonly path: string
}

export interface ListField extends Omit<ListDescription, 'entry'> {
  readonly path: string
  /** The fields of one entry. `name`: below the entry; empty if the entry is one text. */
  readonly entries: readonly EntryField[]
}

export type EntryField = Field & { readonly name: string }

/** The fields that stand under one heading of the desk. */
export interface FieldGroup {
  readonly id: string
  readonly label: string
  readonly parts: readonly FieldPart[]
}

export interface FieldPart {
  readonly label: string
  readonly fields: readonly Field[]
}

/** A value of the content: a text, a number, a list, or an entry of a list. */
export type ContentValue =
  string | number | readonly ContentValue[] | { readonly [name: string]: ContentValue }

/** All fields in reading order, under their headings. */
export function fieldGroups(): readonly FieldGroup[] {
  const prefixes = groupPlans.flatMap(({ parts }) => parts.flatMap((part) => part.prefixes))
  const byPrefix = Map.groupBy(allFields(), ({ path }) => longestPrefix(path, prefixes))
  return groupPlans.map(({ id, label, parts }) => ({
    id,
    label,
    parts: parts.map((part) => ({
      label: part.label,
      fields: part.prefixes.flatMap((prefix) => byPrefix.get(prefix) ?? []),
    })),
  }))
}

function longestPrefix(path: string, prefixes: readonly string[]): string | undefined {
  return prefixes
    .filter((prefix) => path === prefix || path.startsWith(`${prefix}.`))
    .toSorted((one, other) => other.length - one.length)[0]
}

/** All fields in the order of the description. */
export function allFields(): readonly Field[] {
  return fieldsBelow(contentDescription, '')
}

/** The field of a path. Undefined: there is no such text. */
export function fieldAt(path: string): Field | undefined {
  return byPath.get(path)
}

/** The fields of the entry at `index` of a list, with their whole paths. */
export function entryFields(list: ListField, index: number): readonly EntryField[] {
  return list.entries.map((field) => ({
    ...field,
    path: join(join(list.path, String(index)), field.name),
  }))
}

/** The content at a path, such as that of a field. Undefined: there is none. */
export function valueAt(content: unknown, path: string): ContentValue | undefined {
  let value = content
  for (const name of path === '' ? [] : path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name] // it has that name
  }
  return value as ContentValue | undefined // content holds nothing else
}

/** Puts a value at a path, such as that of a field. */
export function setAt(target: object, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  let holder = target as Record<string, unknown>
  for (const name of names) {
    holder[name] ??= {}
    holder = holder[name] as Record<string, unknown> // a part of the content, which has names
  }
  holder[last] = value
}

/** Empty: nothing, or no text. */
export function asText(value: ContentValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

type Described = EntryDescription[string] | EntryDescription

function fieldsBelow(described: Described, path: string): readonly Field[] {
  if (described === 'aside') return []
  if (isList(described)) return [listField(described, path)]
  if (isText(described)) return [{ ...described, path }]
  return Object.entries(described).flatMap(([name, below]) => fieldsBelow(below, join(path, name)))
}

function listField({ entry, ...list }: ListDescription, path: string): ListField {
  const entries = fieldsBelow(entry, '').map((field) => ({ ...field, name: field.path }))
  return { ...list, path, entries }
}

function isText(described: Exclude<Described, Aside>): described is TextDescription {
  return 'kind' in described && described['kind'] !== 'list'
}

function isList(described: Exclude<Described, Aside>): described is ListDescription {
  return 'kind' in described && described['kind'] === 'list'
}

function join(path: string, name: string): string {
  return [path, name].filter((part) => part !== '').join('.')
}

const byPath = new Map(allFields().map((field) => [field.path, field]))
