import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashOfInputs, inputsNote, notedInputs } from './inputs.ts'

const project = join(import.meta.dirname, '../..')
const notInputs = /^(node_modules|dist|data|docs|e2e|\.git|test-artefacts)/
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
  await mkdir(join(root, 'node_modules/@mantine/core'), { recursive: true })
  expect(hashOfInputs(root)).not.toBe(before)
})

test('a folder without a finished build has no hash', async () => {
  expect(notedInputs(root)).toBeUndefined()
  await writeFile(join(root, inputsNote), 'abc')
  expect(notedInputs(root)).toBe('abc')
})
