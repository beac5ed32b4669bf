import type { Content } from '#content/content.ts'
import {
  asText,
  type ContentValue,
  type EntryField,
  fieldAt,
  type ListField,
  setAt,
  valueAt,
} from './description.ts'

/** The changes of the owner to the default content. */
export interface Difference {
  /** The owner's texts by the path of their field. A list is one value: all of its entries. */
  readonly texts: Readonly<Record<string, ContentValue>>
}

/** Content with the owner's texts. A path that no text has any more counts for nothing. */
export function applyDifference(defaults: Content, { texts }: Difference): Content {
  const content = structuredClone(defaults)
  for (const [path, value] of Object.entries(texts)) {
    const field = fieldAt(path)
    if (!field) continue
    if (field.kind === 'list') setAt(content, path, cleanEntries(value, field))
    else setAt(content, path, cleanText(value, field.kind))
  }
  return content
}

/** An address that was typed without a scheme gets one. */
export function withScheme(link: string): string {
  const typed = link.trim()
  return typed === '' || /^[a-z][a-z\d+.-]*:/i.test(typed) ? typed : `https://${typed}`
}

function cleanText(value: ContentValue, kind: string): ContentValue {
  if (kind === 'number') return Number(value)
  return kind === 'link' ? withScheme(asText(value)) : asText(value)
}

/**
 * Drops the texts that an entry may do without and does not have, and gives it what nobody types.
 */
function cleanEntries(value: ContentValue, list: ListField): ContentValue {
  if (!Array.isArray(value)) return []
  const entries: ContentValue[] = value.map((entry: ContentValue) => cleanEntry(entry, list))
  return list.hasIds ? withIds(entries) : entries
}

function cleanEntry(entry: ContentValue, { entries }: ListField): ContentValue {
  const [only] = entries
  if (only?.name === '' && only.kind !== 'list') return cleanText(entry, only.kind)
  const clean: Record<string, ContentValue> = {}
  const id = valueAt(entry, 'id')
  if (id !== undefined) clean['id'] = id
  for (const field of entries) {
    const part = cleanPart(valueAt(entry, field.name), field)
    if (part !== undefined) setAt(clean, field.name, part)
  }
  return clean
}

function cleanPart(part: ContentValue | undefined, field: EntryField): ContentValue | undefined {
  if (field.kind === 'list') {
    const entries = cleanEntries(part ?? [], field)
    return field.optional && part === undefined ? undefined : entries
  }
  if (field.optional && (part === undefined || part === '')) return undefined
  return cleanText(part ?? '', field.kind)
}

/** Each entry has an address of its own on the page. */
function withIds(entries: readonly ContentValue[]): ContentValue[] {
  const ids = new Set<string>()
  return entries.map((entry) => {
    const wanted = wantedId(entry)
    let id = wanted
    for (let copy = 2; ids.has(id); copy += 1) id = `${wanted}-${copy}`
    ids.add(id)
    return Object.assign({}, entry, { id })
  })
}

/** The end of the address that an entry has, or of one made of its title. */
function wantedId(entry: ContentValue): string {
  const known = valueAt(entry, 'id')
  if (known !== undefined) return wordsOfAddress(asText(known))
  // Other parts of the page have addresses such as "symbol".
  return ['step', wordsOfAddress(asText(valueAt(entry, 'title')))].filter(Boolean).join('-')
}

/** "Öffne das Chart": offne-das-chart. */
function wordsOfAddress(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
}
