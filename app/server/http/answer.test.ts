import { expect, test } from 'vitest'
import { createSecretCheck, isSameSecret } from './answer.ts'

test.each([
  ['secret', true],
  ['secreT', false],
  ['secre', false],
  ['secret2', false],
  ['', false],
])('%j is the secret: %s', (given, expected) => {
  expect(isSameSecret(given, 'secret')).toBe(expected)
})

test('after five wrong secrets within a minute each further wrong one is answered later, the right one never', async () => {
  let time = 0
  const waits: number[] = []
  const check = createSecretCheck(
    () => time,
    async (ms) => void waits.push(ms),
  )
  for (let attempt = 0; attempt < 5; attempt += 1) expect(await check('wrong', 'secret')).toBe(false)
  expect(waits).toEqual([])
  expect(await check('wrong', 'secret')).toBe(false)
  expect(await check('secret', 'secret')).toBe(true)
  expect(await check('wrong', 'secret')).toBe(false)
  expect(waits).toEqual([500, 500])
  time = 60_000
  expect(await check('wrong', 'secret')).toBe(false)
  expect(waits).toHaveLength(2)
})
