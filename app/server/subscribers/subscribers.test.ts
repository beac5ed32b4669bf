import { expect, test } from 'vitest'
import { isTokenForm, newToken } from './subscribers.ts'

test('a token ends in a letter or a digit, so that no mail program cuts its link short', () => {
  const tokens = Array.from({ length: 500 }, newToken)
  expect(tokens.filter((token) => !isTokenForm(token) || /[-_]$/.test(token))).toEqual([])
})

test('a token has 22 characters, no more before or behind them', () => {
  const token = newToken()
  const others = [token.slice(1), `a${token}`, `${token}a`, `.${token.slice(1)}`]
  expect([token, ...others].map(isTokenForm)).toEqual([true, false, false, false, false])
})
