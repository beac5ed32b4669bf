import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { filesBelow, hashOfInputs, notedInputs, writeInputs } from './inputs.ts'

const project = join(import.meta.dirname, '../..')
const notInputs = /^((runtime\/)?node_modules|dist|data|docs|e2e|\.git|test-artefacts)/
let root = ''

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'inputs-'))
  const filter = (path: string) => !notInputs.test(path.slice(project.length + 1))
  await cp(project, root, { recursive: true, filter })
})

afterEach(() => rm(root, { recursive: true }))

test('a build is stale exactly when one of its inputs has changed', async () => {
  const before = hashOfInputs(root)
  await writeFile(join(root, 'README.md'), 'changed')
  await writeFile(join(root, 'content/brand.test.ts'), 'changed')
  expect(hashOfInputs(root)).toBe(before)
  await writeFile(join(root, 'content/brand.ts'), 'changed')
  expect(hashOfInputs(root)).not.toBe(before)
})

test('a new or renamed file makes the build stale', async () => {
  const before = hashOfInputs(root)
  await writeFile(join(root, 'app/pages/new.css'), '')
  const after = hashOfInputs(root)
  expect(after).not.toBe(before)
  await rm(join(root, 'app/pages/new.css'))
  await writeFile(join(root, 'app/pages/other.css'), '')
  expect([before, after]).not.toContain(hashOfInputs(root))
})

test("the packages of the desk make the build stale, because it makes the desk's pages then", async () => {
  const before = hashOfInputs(root)
  await mkdir(join(root, 'node_modules/react-aria-components'), { recursive: true })
  expect(hashOfInputs(root)).not.toBe(before)
})

test("a change of any module that the desk's pages load makes the build stale", async () => {
  const pages = filesBelow(root, 'owner/desk/pages').filter((path) => /\.tsx?$/.test(path))
  const loaded = await Promise.all(
    pages.map(async (page) => {
      const source = await readFile(join(root, page), 'utf8')
      const imports = source.matchAll(/^import (?!type )[^']* from '(\.[^']+)'/gm)
      return Array.from(imports, ([, path = '']) => join(dirname(page), path))
    }),
  )
  const elsewhere = [...new Set(loaded.flat())].filter((path) => !pages.includes(path))
  expect(elsewhere).toContain('owner/desk/paths.ts')
  for (const path of elsewhere) {
    const before = hashOfInputs(root)
    await appendFile(join(root, path), '// changed')
    expect(hashOfInputs(root), path).not.toBe(before)
  }
})

test('a folder without a finished build has no hash', () => {
  expect(notedInputs(root)).toBeUndefined()
  writeInputs(root, 'abc')
  expect(notedInputs(root)).toBe('abc')
})
