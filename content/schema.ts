/** The kinds of files that the owner may have in the place of ours. */
export type OwnKind = 'script' | 'guide' | 'sharePicture' | 'chart'

/** Files of ours, or of the owner's, without which a text has no effect. */
export type ShownWith = 'our script' | 'our guide' | 'our chart' | 'own chart' | 'own script'

/** A document that is drawn with our fonts: a letter that they lack would be a hole. */
export type DrawnDocument = 'guide' | 'sharePicture'

/** The options that the texts of a part share. Parts inside it have them too. */
export interface SharedOptions {
  /** The place where a visitor meets it. */
  readonly where?: string
  readonly drawn?: readonly DrawnDocument[]
  readonly shownWith?: ShownWith
  /** True if it may be empty or, in the entry of a list, left out. */
  readonly optional?: boolean
  /** True in mails, which are shown in the faces of the reader's program. */
  readonly inMail?: boolean
  /** Names that may be used in all of it, beside those of the default and the facts. */
  readonly names?: readonly string[]
}

/** The desk's words about a text, and the rules for it. */
export interface TextOptions extends SharedOptions {
  /** The name by which the owner knows it. */
  readonly label: string
  /** The heading that it stands under at the desk, if it is not that of its part. */
  readonly under?: string
  /** The most letters that have room there. */
  readonly room?: number
  /** Read out by screen readers, not shown. */
  readonly hidden?: boolean
  /** One of the few texts that most owners change. */
  readonly often?: boolean
  /** The `{names}` that it cannot do without, such as a link. */
  readonly needs?: readonly string[]
  /** True if it is filled into other texts, and holds no names itself. */
  readonly isFact?: boolean
  /** A program shows it, such as that of a mail: it holds no marks in a preview. */
  readonly outside?: boolean
  /** True if any braces stand as they are: a message in JSON. */
  readonly verbatim?: boolean
  readonly format?: 'language' | 'version' | 'day'
  /** The default with files of the owner's own. Of several the last in this order counts. */
  readonly withOwn?: Partial<Record<OwnKind, string>>
}

export interface Text extends TextOptions {
  readonly kind: 'text' | 'lines' | 'link' | 'colour'
  readonly value: string
}

/** A text of one line. */
export function text(value: string, options: TextOptions): Text {
  return { kind: 'text', value, ...options }
}

/** A sentence or several. */
export function lines(value: string, options: TextOptions): Text {
  return { kind: 'lines', value, ...options }
}

export function link(value: string, options: TextOptions): Text {
  return { kind: 'link', value, room: 500, ...options }
}

/** A colour such as #14191b. */
export function colour(value: string, options: TextOptions): Text {
  return { kind: 'colour', value, ...options }
}

export interface NumberOptions extends TextOptions {
  readonly from: number
  readonly to: number
}

export interface NumberField extends NumberOptions {
  readonly kind: 'number'
  readonly value: number
}

export function number(value: number, options: NumberOptions): NumberField {
  return { kind: 'number', value, ...options }
}

export interface Choice<Value extends string> extends TextOptions {
  readonly kind: 'choice'
  readonly value: Value
  /** The values, with the words that the desk shows for each. */
  readonly choices: Readonly<Record<Value, string>>
}

export function choice<Value extends string>(
  value: NoInfer<Value>,
  choices: Readonly<Record<Value, string>>,
  options: TextOptions,
): Choice<Value> {
  return { kind: 'choice', value, choices, ...options }
}

/** A value that the owner does not write, such as the end of an address. */
export interface Constant {
  readonly kind: 'constant'
  readonly value: string
}

export function constant(value: string): Constant {
  return { kind: 'constant', value }
}

export interface ListOptions extends SharedOptions {
  readonly label: string
  readonly group?: string
  readonly under?: string
  readonly often?: boolean
  readonly min: number
  readonly max: number
  /** Its entries have minutes, each after those of the one before. */
  readonly timed?: boolean
  readonly withOwn?: Partial<Record<OwnKind, readonly unknown[]>>
}

export interface List<Entry> extends ListOptions {
  readonly kind: 'list'
  readonly value: readonly EntryOf<Entry>[]
  /** The form of each entry: one text, or texts by their names. */
  readonly entry: Entry
}

/** A list that the owner can add to, remove from and reorder. */
export function list<Entry>(
  value: readonly NoInfer<EntryOf<Entry>>[],
  options: ListOptions,
  entry: Entry,
): List<Entry> {
  return { kind: 'list', value, entry, ...options }
}

/** The texts of an entry, which have no default. */
export const each = {
  /** The end of its address on the page. It stays; that of a new entry is made of its title. */
  id: () => ({ kind: 'id' as const, value: '' as string }),
  text: <const Options extends TextOptions>(options: Options) => ({
    kind: 'text' as const,
    value: '' as string,
    ...options,
  }),
  lines: <const Options extends TextOptions>(options: Options) => ({
    kind: 'lines' as const,
    value: '' as string,
    ...options,
  }),
  link: <const Options extends TextOptions>(options: Options) => ({
    kind: 'link' as const,
    value: '' as string,
    room: 500,
    ...options,
  }),
  number: <const Options extends NumberOptions>(options: Options) => ({
    kind: 'number' as const,
    value: 0 as number,
    ...options,
  }),
  choice: <Value extends string, const Options extends TextOptions>(
    choices: Readonly<Record<Value, string>>,
    options: Options,
  ) => ({ kind: 'choice' as const, value: '' as Value, choices, ...options }),
  list: <Entry, const Options extends ListOptions>(options: Options, entry: Entry) => ({
    kind: 'list' as const,
    value: [],
    entry,
    ...options,
  }),
  part: <const Options extends SharedOptions, const Fields>(options: Options, fields: Fields) => ({
    kind: 'part' as const,
    fields,
    ...options,
  }),
}

export interface PartOptions extends SharedOptions {
  /**
   * One of the groups of the desk, by its name in content.ts. Left out: that of the part around.
   */
  readonly group?: string
  /** The heading of its texts at the desk. Left out: that of the part around. */
  readonly label?: string
  /** Either all of its texts are given, or none. */
  readonly whole?: boolean
}

export interface Part<Fields> extends PartOptions {
  readonly kind: 'part'
  readonly fields: Fields
}

/** Texts, lists and parts by their names. */
export function part<const Fields extends object>(
  options: PartOptions,
  fields: Fields,
): Part<Fields> {
  return { kind: 'part', fields, ...options }
}

/** The values that a schema describes, in its shape. */
export type ValueOf<Described> = Described extends { kind: 'part'; fields: infer Fields }
  ? ValuesOf<Fields>
  : Described extends { kind: 'list'; entry: infer Entry }
    ? readonly EntryOf<Entry>[]
    : Described extends { kind: string; value: infer Value }
      ? Value
      : ValuesOf<Described>

export type ValuesOf<Fields> = { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> }

type OptionalName<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { optional: true } ? Name : never
}[keyof Fields]

/** One entry of a list. */
export type EntryOf<Entry> = Entry extends { kind: string }
  ? ValueOf<Entry>
  : { readonly [Name in Exclude<keyof Entry, OptionalName<Entry>>]: ValueOf<Entry[Name]> } & {
      readonly [Name in OptionalName<Entry>]?: ValueOf<Entry[Name]>
    }

/** The defaults of a schema. */
export function valuesOf<Described>(described: Described): ValueOf<Described> {
  return valueOf(described) as ValueOf<Described> // the shape that the type says
}

function valueOf(described: unknown): unknown {
  if (Array.isArray(described)) return described.map((one) => valueOf(one))
  const {
    kind,
    value,
    fields = described,
  } = described as {
    kind?: string
    value?: unknown
    fields?: object
  }
  if (kind !== undefined && kind !== 'part') return value
  return Object.fromEntries(
    Object.entries(fields as object).map(([name, one]) => [name, valueOf(one)]),
  )
}
