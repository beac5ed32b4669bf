import type { ContentValue, EntryField, ListField } from '#site/words/description.ts'
import { withValue } from '../draft/nested-value.ts'

/** A new entry of a list, with nothing written in it. */
export function emptyEntry({ entries }: ListField): ContentValue {
  const [only] = entries
  if (only?.name === '') return emptyValue(only)
  let entry: ContentValue = {}
  for (const field of entries) {
    if (!isOptional(field)) entry = withValue(entry, field.name, emptyValue(field))
  }
  return entry
}

function isOptional(field: EntryField): boolean {
  return field.kind !== 'list' && field.optional === true
}

function emptyValue(field: EntryField): ContentValue {
  if (field.kind === 'list') return field.min > 0 ? [emptyEntry(field)] : []
  if (field.kind === 'number') return 0
  if (field.kind === 'choice') return Object.keys(field.choices ?? {})[0] ?? ''
  return ''
}
