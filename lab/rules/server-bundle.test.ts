import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildIfStale } from '#build/build-if-stale.ts'
import { root } from '#rigs/product.ts'

// Both are for the memory of a start and the time of a rendering.

await buildIfStale()
const folder = join(root, 'dist/server')
const chunks = readdirSync(folder).filter((name) => name.endsWith('.mjs'))
const matching = (pattern: RegExp) =>
  chunks.filter((name) => pattern.test(readFileSync(join(folder, name), 'utf8')))

test('the server bundle has no code that React has for development alone', () => {
  expect(chunks.length).toBeGreaterThan(0)
  expect(matching(/react\S*\.development\.js/)).toEqual([])
})

test('the text of the server bundle is Latin-1, which takes half the memory', () => {
  expect(matching(/[\u0100-\uffff]/)).toEqual([])
})
