import { expect, test } from 'vitest'
import { isTokenForm, newToken } from './subscribers.ts'

test('a token ends in a letter or a digit, so that no mail program cuts its link short', () => {
  const tokens = Array.from({ length: 500 }, newToken)
  expect(tokens.filter((token) => !isTokenForm(token) || /[-_]$/.test(token))).toEqual([])
})
