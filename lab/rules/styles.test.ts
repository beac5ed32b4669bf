import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Selector, type SelectorComponent, transform } from 'lightningcss'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const sheets = globSync('{app,owner}/**/*.css', { cwd: root })
const ofPages = sheets.filter((sheet) => sheet.startsWith('app/'))

test('a class begins selectors in one style sheet only', () => {
  const sheetsByClass = Map.groupBy(
    ofPages.flatMap((sheet) => classesThatBegin(sheet).map((name) => ({ name, sheet }))),
    ({ name }) => name,
  )
  const shared = [...sheetsByClass]
    .map(([name, uses]) => ({ name, usedIn: new Set(uses.map(({ sheet }) => sheet)) }))
    .filter(({ usedIn }) => usedIn.size > 1)
  expect(shared).toEqual([])
})

test('no style sheet selects an element by its position', () => {
  const found = sheets.filter((sheet) =>
    /:(?:nth|first|last|only)-(?:child|of-type)/.test(read(sheet)),
  )
  expect(found).toEqual([])
})

test('no selector repeats a class to win over another', () => {
  expect(sheets.filter((sheet) => /(\.[\w-]+)\1(?![\w-])/.test(read(sheet)))).toEqual([])
})

function read(sheet: string): string {
  return readFileSync(join(root, sheet), 'utf8')
}

function classesThatBegin(sheet: string): string[] {
  const names: string[] = []
  transform({
    filename: sheet,
    code: readFileSync(join(root, sheet)),
    visitor: {
      Selector(selector) {
        names.push(...firstClass(selector))
      },
    },
  })
  return names
}

/** None if the selector has no class. */
function firstClass(selector: Selector): string[] {
  for (const part of selector) {
    if (part.type === 'class') return [part.name]
    const [inner] = innerSelectors(part).flatMap(firstClass)
    if (inner !== undefined) return [inner]
  }
  return []
}

/** Those of `:is()`, `:not()` and their like. */
function innerSelectors(part: SelectorComponent): Selector[] {
  if (part.type !== 'pseudo-class') return []
  switch (part.kind) {
    case 'is':
    case 'not':
    case 'where':
    case 'has':
      return part.selectors
    default:
      return []
  }
}
