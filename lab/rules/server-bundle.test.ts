import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildIfStale } from '#build/build-if-stale.ts'
import { root } from '#rigs/product.ts'

await buildIfStale()
const folder = join(root, 'dist/server')
const chunks = readdirSync(folder).filter((name) => name.endsWith('.mjs'))
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

test('the server bundle has no code that React has for development alone', () => {
  expect(chunks.length).toBeGreaterThan(0)
  const slow = chunks.filter((name) => /react\S*\.development\.js/.test(read(name)))
  expect(slow).toEqual([])
})

test('a start loads none of the packages that wait for a mail, a letter or the owner', () => {
  const loaded = loadedAtStart().map(read).join('\n')
  const isLoaded = (name: string) => loaded.includes(`// node_modules/${name}/`)
  expect(isLoaded('fastify')).toBe(true)
  const later =
    'nodemailer postal-mime markdown-it html-to-text react-dom @trpc/server pg prom-client'
  const never = 'ajv @fastify/ajv-compiler light-my-request'
  expect(`${later} ${never}`.split(' ').filter(isLoaded)).toEqual([])
})

/** The files that a server imports before it listens. */
function loadedAtStart(): string[] {
  const first = ['server.mjs', 'start-server-', 'extension-', 'desk-']
  const found = new Set(chunks.filter((name) => first.some((start) => name.startsWith(start))))
  for (const name of found) {
    const imports = read(name).matchAll(/^import\b[^;]*?"\.\/([^"]+)"/gm)
    for (const [, imported = ''] of imports) found.add(imported)
  }
  return [...found]
}
