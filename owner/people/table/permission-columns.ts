import {
  type ColumnMeaning,
  isTime,
  meaningOf,
  type Permission,
  permissionOf,
  saysTheyLeft,
  soundsLikeConsent,
} from './mail-permission.ts'

/** One of the different values of a column. */
export interface CountedValue {
  /** As it was first written. */
  value: string
  /** Lines. */
  count: number
  permission: Permission
}

/** A column that may say who may be mailed. */
export interface PermissionColumn {
  /** Its position in a line, from 0. */
  index: number
  name: string
  meaning: ColumnMeaning
  /** The owner chose it. */
  isChosen: boolean
  /** By their lower case. All dates are one value. */
  values: Map<string, CountedValue>
  /** It has more values that are not understood than anybody can be asked about. */
  isTooVaried: boolean
}

/** What the owner says that a value means. */
export interface ValueMeaning {
  /** Undefined: the one that the owner chose, and any where it is not understood. */
  column?: number | undefined
  value: string
  mayBeMailed: boolean
}

/** The position of the one that the owner chose. Undefined: those that are found by their names. */
export type ChosenColumn = number | 'none' | undefined

const maxValues = 100
const anyDate = '(a date)'
const onlyWords: ColumnMeaning = {
  yes: undefined,
  no: 'unsubscribed',
  isReason: false,
  strength: 'certain',
}

/** `fields`: the positions of the columns that say something else. */
export function findPermissionColumns(
  header: readonly string[],
  fields: ReadonlySet<number>,
  chosen: ChosenColumn,
): PermissionColumn[] {
  return header.flatMap((name, index) => {
    const isChosen = chosen === index
    const meaning = meaningOf(name) ?? (isChosen ? onlyWords : undefined)
    const isWanted = chosen === undefined ? !fields.has(index) : isChosen
    if (!isWanted || !meaning) return []
    return { index, name, meaning, isChosen, values: new Map(), isTooVaried: false }
  })
}

/** What a column says in one line. */
export interface SaidValue {
  column: PermissionColumn
  /** As the line has it. */
  text: string
  /** The same object for equal values: settleColumns may change its meaning. */
  value: CountedValue
}

/** Reads the field of a line. */
export function readValue(
  column: PermissionColumn,
  text: string,
  given: readonly ValueMeaning[],
): SaidValue {
  return { column, text, value: countValue(column, text, given) }
}

function countValue(
  column: PermissionColumn,
  text: string,
  given: readonly ValueMeaning[],
): CountedValue {
  const key = keyOf(text)
  const known = column.values.get(key)
  if (known) {
    known.count += 1
    return known
  }
  const permission = meantBy(given, column, text) ?? permissionOf(column.meaning, text)
  const value = { value: key === anyDate ? key : text.trim(), count: 1, permission }
  if (column.values.size < maxValues || permission.kind === 'silent') column.values.set(key, value)
  else if (permission.kind === 'unclear') column.isTooVaried = true
  return value
}

function keyOf(text: string): string {
  return isTime(text) ? anyDate : text.trim().toLowerCase()
}

function meantBy(
  given: readonly ValueMeaning[],
  { index, isChosen, meaning }: PermissionColumn,
  text: string,
): Permission | undefined {
  const meant = given.find((one) => {
    if (keyOf(one.value) !== keyOf(text)) return false
    if (one.column !== undefined) return one.column === index
    return isChosen || ['silent', 'unclear'].includes(permissionOf(meaning, text).kind)
  })
  if (!meant) return undefined
  return meant.mayBeMailed
    ? { kind: 'allowed' }
    : { kind: 'left', reason: 'unsubscribed', isStrong: true }
}

/**
 * Decides which columns count, once all lines are read. Where a yes means that they may be mailed,
 * nobody knows what it means to say nothing.
 */
export function settleColumns(columns: readonly PermissionColumn[]): PermissionColumn[] {
  const used = columns.filter(isUsed)
  for (const { meaning, values } of used) {
    for (const value of values.values()) {
      const isUnsaid = meaning.yes === 'allowed' && value.permission.kind === 'silent'
      if (isUnsaid) value.permission = { kind: 'unclear' }
    }
  }
  return used
}

function isUsed({ values, meaning, isChosen, isTooVaried }: PermissionColumn): boolean {
  const said = saidIn(values)
  if (isChosen || (meaning.strength === 'certain' && said.length > 0)) return true
  const isUnderstood = !isTooVaried && said.length > 0 && !said.some(isUnclear)
  return (
    isUnderstood || said.some((permission) => permission.kind === 'left' && permission.isStrong)
  )
}

/** In no line it says anything. */
export function isEmpty({ values }: PermissionColumn): boolean {
  return saidIn(values).length === 0
}

function saidIn(values: PermissionColumn['values']): Permission[] {
  const permissions = [...values.values()].map(({ permission }) => permission)
  return permissions.filter(({ kind }) => kind !== 'silent')
}

function isUnclear({ kind }: Permission): boolean {
  return kind === 'unclear'
}

/** The values of a column that are not understood. */
export function unclearIn({ values }: PermissionColumn): CountedValue[] {
  return [...values.values()].filter(({ permission }) => isUnclear(permission))
}

/** The different values of a column. With too many it is no choice between a few. */
export type Choices = Set<string>

const maxChoices = 20

export function noteChoice(choices: Choices, text: string): void {
  if (choices.size <= maxChoices) choices.add(text)
}

/**
 * The names of columns that sound like consent or leaving, or have a few values that do, and were
 * not used. `read`: the positions of those that were, and of empty ones. `choices`: of each column.
 */
export function findUnread(
  header: readonly string[],
  { read, choices }: { read: ReadonlySet<number>; choices: readonly Choices[] },
): string[] {
  return header.filter(
    (name, index) =>
      !read.has(index) &&
      (soundsLikeConsent(name) ||
        meaningOf(name)?.strength === 'certain' ||
        tellsOfLeaving(choices[index]!)),
  )
}

function tellsOfLeaving(choices: Choices): boolean {
  return choices.size <= maxChoices && [...choices].some(saysTheyLeft)
}
