import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Selector, type SelectorComponent, transform } from 'lightningcss'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
/** Those of the desk are CSS modules, whose names are local. */
const sheets = globSync('app/**/*.css', { cwd: root })

test('a class begins selectors in one style sheet only', () => {
  const sheetsByClass = Map.groupBy(
    sheets.flatMap((sheet) => classesThatBegin(sheet).map((name) => ({ name, sheet }))),
    ({ name }) => name,
  )
  const shared = [...sheetsByClass]
    .map(([name, uses]) => ({ name, usedIn: new Set(uses.map(({ sheet }) => sheet)) }))
    .filter(({ usedIn }) => usedIn.size > 1)
  expect(shared).toEqual([])
})

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
