import { globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const maxSiblings = 12

const root = join(import.meta.dirname, '../..')
const rings = ['{app,content}/**/*', 'owner/**/*', 'lab/**/*']

test('no folder has more entries than allowed, tests not counted', () => {
  const entries = rings
    .flatMap(filesOf)
    .flatMap((file) => [file, ...foldersAbove(file)])
    .filter((path) => path.includes('/') && !isTest(path) && !path.endsWith('.png'))
  const byFolder = Map.groupBy(new Set(entries), dirname)
  const wide = [...byFolder].filter(([, paths]) => paths.length > maxSiblings)
  expect(wide.map(([folder, paths]) => [folder, paths.map((path) => basename(path))])).toEqual([])
})

function filesOf(pattern: string): string[] {
  const entries = globSync(pattern, {
    cwd: root,
    withFileTypes: true,
    exclude: ['**/node_modules'],
  })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .map((path) => path.replaceAll('\\', '/'))
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path)
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)]
}

function isTest(path: string): boolean {
  return /\.(?:test|e2e)\.tsx?$/.test(path)
}
