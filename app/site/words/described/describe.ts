/** One text of the content: how the desk asks for it, and what it must be. */
export interface TextDescription {
  readonly kind: 'text' | 'lines' | 'link' | 'colour' | 'choice' | 'number'
  readonly label: string
  /** Where a visitor meets it. */
  readonly where: string
  /** The most letters that have room there. */
  readonly room?: number
  /** Read out by screen readers, not shown. */
  readonly hidden?: boolean
  /** It may be empty. */
  readonly optional?: boolean
  /**
   * The `{names}` that it cannot do without, such as a link. It may use those of its default, and
   * the facts about the script.
   */
  readonly needs?: readonly string[]
  /** Any braces stand as they are: a message in JSON. */
  readonly verbatim?: boolean
  /** Drawn with the fonts of these: a letter that they lack would be a hole. */
  readonly drawn?: readonly DrawnDocument[]
  /** The least and the most of a number. */
  readonly from?: number
  readonly to?: number
  /** A text of one of these values, with the words that the desk shows for each. */
  readonly choices?: Readonly<Record<string, string>>
}

export type DrawnDocument = 'guide' | 'sharePicture'

/** A list that the owner can add to, remove from and reorder. */
export interface ListDescription {
  readonly kind: 'list'
  readonly label: string
  readonly where: string
  readonly min: number
  readonly max: number
  /** The form of each entry: one text, or texts by their names. */
  readonly entry: TextDescription | EntryDescription
}

/** Texts and lists by name. */
export interface EntryDescription {
  readonly [name: string]:
    TextDescription | ListDescription | readonly TextDescription[] | EntryDescription | Aside
}

/** Not a text of the owner's: an id, or what a given file itself says. */
export type Aside = 'aside'

/**
 * The shape of a part of the content, with a description in the place of each text: a text without
 * one does not compile.
 */
export type DescriptionOf<Part> = Part extends string | number
  ? TextDescription | Aside
  : Part extends readonly (infer Entry)[]
    ? number extends Part['length']
      ? DescribedList<Entry>
      : { readonly [Index in keyof Part]: TextDescription }
    : Part extends boolean
      ? Aside
      : { readonly [Name in keyof Part]-?: DescriptionOf<NonNullable<Part[Name]>> }

interface DescribedList<Entry> extends ListDescription {
  readonly entry: DescriptionOf<Entry> & ListDescription['entry']
}

type More = Omit<TextDescription, 'kind' | 'label' | 'where' | 'room'>

/** A text of one line. */
export function text(label: string, where: string, room: number, more: More = {}): TextDescription {
  return { kind: 'text', label, where, room, ...more }
}

/** A sentence or several. */
export function lines(
  label: string,
  where: string,
  room: number,
  more: More = {},
): TextDescription {
  return { kind: 'lines', label, where, room, ...more }
}

export function link(label: string, where: string, more: More = {}): TextDescription {
  return { kind: 'link', label, where, room: 500, ...more }
}

export function list<Entry extends ListDescription['entry']>(
  label: string,
  where: string,
  { min, max }: { min: number; max: number },
  entry: Entry,
): ListDescription & { entry: Entry } {
  return { kind: 'list', label, where, min, max, entry }
}
