import { groups, schema } from '#content/content.ts'
import type {
  ListOptions,
  NumberOptions,
  OwnKind,
  PartOptions,
  SharedOptions,
  ShownWith,
  TextOptions,
} from '#content/schema.ts'

/** One text, or one list, of the content. */
export type Field = TextField | ListField

interface FieldPlace {
  /** Such as `landingPage.hero.heading.0`. It is the name of the field, and stays. */
  readonly path: string
  /** The place where a visitor meets it. */
  readonly where: string
  readonly group: string
  /** The heading that it stands under. */
  readonly under: string
  /** The things without which it has no effect. */
  readonly shownWith: readonly ShownWith[]
  /** The part of which all texts are given, or none. */
  readonly wholePart?: string | undefined
}

export interface TextField
  extends Omit<TextOptions, 'where' | 'under' | 'shownWith' | 'withOwn'>, FieldPlace {
  readonly kind: 'text' | 'lines' | 'link' | 'colour' | 'choice' | 'number'
  readonly choices?: Readonly<Record<string, string>>
  readonly from?: number
  readonly to?: number
  readonly withOwn?: OtherDefaults
}

export interface ListField
  extends Omit<ListOptions, 'where' | 'under' | 'group' | 'shownWith' | 'withOwn'>, FieldPlace {
  readonly kind: 'list'
  /** The fields of one entry. `name`: below the entry; empty if the entry is one text. */
  readonly entries: readonly EntryField[]
  /** Each entry has an address on the page, made of its title. */
  readonly hasIds: boolean
  readonly withOwn?: OtherDefaults
}

type OtherDefaults = Partial<Record<OwnKind, unknown>>

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
  const byGroup = Map.groupBy(allFields(), ({ group }) => group)
  return Object.entries(groups).map(([id, label]) => {
    const byPart = Map.groupBy(byGroup.get(id) ?? [], ({ under }) => under)
    const parts = [...byPart].map(([part, fields]) => ({ label: part, fields }))
    return { id, label, parts }
  })
}

/** All fields in the order of the schema. */
export function allFields(): readonly Field[] {
  return fields
}

/** The field of a path. Undefined: there is no such text. */
export function fieldAt(path: string): Field | undefined {
  return byPath.get(path)
}

/**
 * The name of a text among all of them: "Top, Badge", "Steps 3, Opening". Undefined: there is no
 * such text.
 */
export function nameOf(path: string): string | undefined {
  const root = fields.find((field) => isIn(path, field.path))
  if (!root) return undefined
  const within = path.slice(root.path.length + 1)
  const names = [root.under === root.label ? '' : root.under, ...namesWithin(root, within)]
  return names.filter((name) => name !== '').join(', ')
}

/** `path`: below the field. */
function namesWithin(field: Field, path: string): string[] {
  if (field.kind !== 'list' || path === '') return [field.label]
  const [index = '', ...names] = path.split('.')
  const below = names.join('.')
  const inner = field.entries.find(({ name }) => name !== '' && isIn(below, name))
  const label = `${field.label} ${Number(index) + 1}`
  return inner ? [label, ...namesWithin(inner, below.slice(inner.name.length + 1))] : [label]
}

/** True for the same path, or one below it. */
function isIn(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}.`)
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

/** The options that a part hands down to what is in it. */
interface Surroundings extends Omit<SharedOptions, 'shownWith'> {
  readonly group: string
  readonly under: string
  readonly shownWith: readonly ShownWith[]
  readonly wholePart?: string | undefined
}

/** A part of the schema: of a kind, or texts and parts by their names. */
type Described =
  TextDescribed | ListDescribed | PartDescribed | { readonly kind: 'id' | 'constant' }
type TextDescribed = TextOptions & Partial<NumberOptions> & Pick<TextField, 'kind' | 'choices'>
type ListDescribed = ListOptions & { readonly kind: 'list'; readonly entry: object }
type PartDescribed = PartOptions & { readonly kind: 'part'; readonly fields: object }

function fieldsBelow(described: object, path: string, around: Surroundings): readonly Field[] {
  if (!('kind' in described)) return fieldsOf(described, path, around)
  const one = described as Described // the schema has no others
  switch (one.kind) {
    case 'id':
    case 'constant':
      return []
    case 'part': {
      const within = surroundingsIn(one, around)
      return fieldsOf(one.fields, path, one.whole ? { ...within, wholePart: path } : within)
    }
    case 'list':
      return [listField(one, path, around)]
    default:
      return [textField(one, path, around)]
  }
}

function fieldsOf(described: object, path: string, around: Surroundings): readonly Field[] {
  return Object.entries(described).flatMap(([name, below]: [string, object]) =>
    fieldsBelow(below, join(path, name), around),
  )
}

function surroundingsIn(options: PartOptions, around: Surroundings): Surroundings {
  const { label, group, shownWith, names = [], where, drawn, optional, inMail } = options
  return {
    ...around,
    ...(label !== undefined && { under: label }),
    ...(group !== undefined && { group }),
    ...(where !== undefined && { where }),
    ...(drawn !== undefined && { drawn }),
    ...(optional !== undefined && { optional }),
    ...(inMail !== undefined && { inMail }),
    names: [...(around.names ?? []), ...names],
    shownWith: [...around.shownWith, ...(shownWith ? [shownWith] : [])],
  }
}

function textField(described: TextDescribed, path: string, around: Surroundings): TextField {
  const { where = '', ...inherited } = around
  const { shownWith, under = around.under, names: _names, ...own } = described
  return {
    where,
    ...inherited,
    ...own,
    under,
    shownWith: [...around.shownWith, ...(shownWith ? [shownWith] : [])],
    path,
  }
}

function listField(described: ListDescribed, path: string, around: Surroundings): ListField {
  const { entry, group = around.group, under = around.under, ...list } = described
  const within = { ...surroundingsIn(list, around), group, under: around.under }
  const { where = '', ...inherited } = within
  const entries = fieldsBelow(entry, '', { ...within, optional: false })
  return {
    ...inherited,
    ...list,
    where,
    under,
    shownWith: within.shownWith,
    names: within.names ?? [],
    path,
    entries: entries.map((field) => ({ ...field, name: field.path })),
    hasIds: !('kind' in entry) && 'id' in entry,
  }
}

function join(path: string, name: string): string {
  return [path, name].filter((part) => part !== '').join('.')
}

const fields = fieldsBelow(schema, '', { group: '', under: '', shownWith: [] })
const byPath = new Map(fields.map((field) => [field.path, field]))
