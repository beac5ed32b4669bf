import { expect, test, vi } from 'vitest'
import { testApp } from '#rigs/server/test-app.ts'

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
