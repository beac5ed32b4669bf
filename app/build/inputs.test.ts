import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { hashOfInputs, inputsNote, notedInputs } from './inputs.ts'

let root = ''

beforeEach(() => {
  root = temporaryFolder()
  const inRoot = [
    'server.ts',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'vite.config.ts',
  ]
  for (const path of [
    ...inRoot,
    'app/site/pages/page.css',
    'content/brand.ts',
    'owner/start/desk.ts',
  ]) {
    write(path)
  }
})

test('a build is stale exactly when one of its inputs has changed', () => {
  const before = hashOfInputs(root)
  write('README.md', 'changed')
  write('content/brand.test.ts', 'changed')
  expect(hashOfInputs(root)).toBe(before)
  write('content/brand.ts', 'changed')
  expect(hashOfInputs(root)).not.toBe(before)
})

test('a new or renamed file makes the build stale', () => {
  const before = hashOfInputs(root)
  write('app/site/pages/new.css')
  const after = hashOfInputs(root)
  expect(after).not.toBe(before)
  renameSync(join(root, 'app/site/pages/new.css'), join(root, 'app/site/pages/other.css'))
  expect([before, after]).not.toContain(hashOfInputs(root))
})

test('a folder without a finished build has no hash', () => {
  expect(notedInputs(root)).toBeUndefined()
  write(inputsNote, 'abc')
  expect(notedInputs(root)).toBe('abc')
})

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
