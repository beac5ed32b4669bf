import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const documents = globSync('{,docs/**/}*.md', { cwd: root })

test('documents link to files that exist', () => {
  const dead = documents.flatMap((file) =>
    relativeLinks(textOf(file))
      .filter((link) => !existsSync(join(root, dirname(file), link)))
      .map((link) => `${file}: ${link}`),
  )
  expect(dead).toEqual([])
})

test('documents name source files that exist', () => {
  // The changelog and the decisions name the paths of their day.
  const ofToday = documents.filter((file) => !/^CHANGELOG|\/decisions\//.test(file))
  const dead = ofToday.flatMap((file) =>
    namedPaths(textOf(file))
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${file}: ${path}`),
  )
  expect(dead).toEqual([])
})

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

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
