import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildIfStale } from '#build/build-if-stale.ts'
import { root } from '#rigs/product.ts'

await buildIfStale()
const folder = join(root, 'dist/server')
const chunks = readdirSync(folder).filter((name) => name.endsWith('.mjs'))

test('the server bundle has no code that React has for development alone', () => {
  expect(chunks.length).toBeGreaterThan(0)
  const slow = chunks.filter((name) =>
    /react\S*\.development\.js/.test(readFileSync(join(folder, name), 'utf8')),
  )
  expect(slow).toEqual([])
})
