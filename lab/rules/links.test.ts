import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const documents = globSync('{,docs/**/}*.md', { cwd: root })

describe.each(documents)('%s', (file) => {
  const text = readFileSync(join(root, file), 'utf8')

  test('links to files that exist', () => {
    expect(
      relativeLinks(text).filter((link) => !existsSync(join(root, dirname(file), link))),
    ).toEqual([])
  })

  // The changelog and the decisions name the paths of their day.
  test.skipIf(/^CHANGELOG|\/decisions\//.test(file))('names source files that exist', () => {
    expect(namedPaths(text).filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})

function relativeLinks(text: string): string[] {
  const targets = Array.from(text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g), ([, target = '']) => target)
  return targets.filter((target) => !/^[a-z]+:/.test(target))
}

/** Paths from the root, alone between backticks. */
function namedPaths(text: string): string[] {
  const paths = Array.from(
    text.matchAll(/`((?:app|owner|lab|docs)\/[\w./-]*)`/g),
    ([, path = '']) => path,
  )
  return paths.filter((path) => !path.includes('…'))
}

test('a test that SECURITY.md names exists', () => {
  const text = readFileSync(join(root, 'SECURITY.md'), 'utf8')
  const files = globSync('{,{app,owner,lab}/**/}*.test.ts', { cwd: root }).map((file) => `/${file}`)
  const named = Array.from(text.matchAll(/`([\w./-]+\.test\.ts)`/g), ([, name = '']) => name)
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([])
})
