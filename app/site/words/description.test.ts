import { expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { splitAtNames } from '#site/text/fill.ts'
import {
  allFields,
  entryFields,
  type Field,
  fieldGroups,
  nameOf,
  type TextField,
  valueAt,
} from './description.ts'

/** Every text of the default content, with its description. */
const texts = allFields().flatMap((field) => textsOf(field))

function textsOf(field: Field): { field: TextField; value: string }[] {
  const value = valueAt(defaultContent, field.path)
  if (field.kind !== 'list') return typeof value === 'string' ? [{ field, value }] : []
  if (!Array.isArray(value)) return []
  return value.flatMap((_, index) => entryFields(field, index).flatMap((entry) => textsOf(entry)))
}

test('every field stands under exactly one heading of the desk', () => {
  const grouped = fieldGroups().flatMap(({ parts }) => parts.flatMap(({ fields }) => fields))
  const paths = (fields: readonly Field[]) => fields.map(({ path }) => path).toSorted()
  expect(paths(grouped)).toEqual(paths(allFields()))
})

test.each([
  ['landingPage.hero.badge', 'Top, Badge'],
  ['landingPage.creatorNote.paragraphs.0', 'Note 1'],
  ['setupGuide.steps.2.intro', 'Steps 3, Opening'],
  ['setupGuide.steps.2.actions.0', 'Steps 3, Instructions 1'],
  ['brand.motto', undefined],
])('the text %s is called %s', (path, name) => {
  expect(nameOf(path)).toBe(name)
})

test('no two texts have the same name and place', () => {
  const names = allFields().map(({ path, where, group }) => `${group}: ${nameOf(path)}. ${where}`)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('the page stands in the order in which a visitor reads it', () => {
  const page = fieldGroups().find(({ id }) => id === 'page')
  expect(page?.parts.map(({ label }) => label)).toEqual([
    'Search and shared links',
    'Top',
    'Chart',
    "What's Included",
    'How It Works',
    'Note',
    'Bottom section',
    'Footer',
  ])
})

test('a default text has the names that it needs', () => {
  const lacking = texts.filter(({ field, value }) => {
    const names = new Set(
      splitAtNames(value).map((piece) => (typeof piece === 'string' ? '' : piece.name)),
    )
    return field.needs?.some((name) => !names.has(name))
  })
  expect(lacking).toEqual([])
})
