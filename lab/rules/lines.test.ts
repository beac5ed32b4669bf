import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** TypeScript, TSX, CSS, HTML, Typst and SQL, without tests. Whoever takes lines out lowers the limit. */
const maxLines = { app: 12_479, owner: 8_771, lab: 4_799 }
const maxSiblings = 12

const root = join(import.meta.dirname, '../..')
const rings = { app: '{app,content}/**/*', owner: 'owner/**/*', lab: 'lab/**/*' }

test.each(Object.entries(rings))('the ring %s keeps to its limit of lines', (ring, pattern) => {
  const counted = filesOf(pattern).filter(
    (file) => /\.(?:tsx?|css|html|typ|sql)$/.test(file) && !isTest(file),
  )
  const lines = counted.reduce((sum, file) => sum + linesIn(file), 0)
  expect(lines).toBeLessThanOrEqual(maxLines[ring as keyof typeof maxLines]) // the keys are the rings
})

test('no folder has more entries than allowed, tests not counted', () => {
  const entries = Object.values(rings)
    .flatMap(filesOf)
    .flatMap((file) => [file, ...foldersAbove(file)])
    .filter((path) => path.includes('/') && !isTest(path) && !path.endsWith('.png'))
  const byFolder = Map.groupBy(new Set(entries), dirname)
  const wide = [...byFolder].filter(([, paths]) => paths.length > maxSiblings)
  expect(wide.map(([folder, paths]) => [folder, paths.map((path) => basename(path))])).toEqual([])
})

function filesOf(pattern: string): string[] {
  const entries = globSync(pattern, { cwd: root, withFileTypes: true, exclude: ['**/node_modules'] })
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

function linesIn(file: string): number {
  return readFileSync(join(root, file), 'utf8').split('\n').length - 1
}
