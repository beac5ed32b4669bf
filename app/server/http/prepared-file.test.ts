import { brotliDecompressSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { testApp } from '#rigs/server/test-app.ts'
import { prepareFile } from './prepared-file.ts'

test('a page is compressed at once, and soon as small as it gets', async () => {
  const text = Array.from({ length: 2_000 }, (_, number) => `<p>${number ** 3}</p>`).join('')
  const { bodies } = await prepareFile(text, {})
  const first = bodies.br!
  await expect.poll(() => bodies.br!.length).toBeLessThan(first.length)
  for (const each of [first, bodies.br!]) expect(String(brotliDecompressSync(each))).toBe(text)
})

test('no value of Accept-Encoding is kept after the answer', async () => {
  const app = await testApp()
  const keys: unknown[] = []
  const set = Map.prototype.set
  vi.spyOn(Map.prototype, 'set').mockImplementation(function (
    this: Map<unknown, unknown>,
    key,
    value,
  ) {
    keys.push(key)
    return set.call(this, key, value)
  })
  for (let number = 0; number < 50; number += 1) {
    await app.inject({ url: '/', headers: { 'accept-encoding': `br, stranger-${number}` } })
  }
  vi.restoreAllMocks()
  expect(keys.filter((key) => String(key).includes('stranger-'))).toEqual([])
})
