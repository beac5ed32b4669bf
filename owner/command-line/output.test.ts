import { expect, test } from 'vitest'
import { hostileText } from '#rigs/owner/test-statistics.ts'
import { plainJson, plainText } from './output.ts'

test('what orders a terminal about becomes a question mark', () => {
  expect(plainText(hostileText)).toBe('<img src=x onerror=alert(1)>?[2J?31m?&"')
})

test('in JSON it is escaped, and nothing is lost', () => {
  const printed = plainJson({ text: hostileText })
  expect(printed).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(JSON.parse(printed)).toEqual({ text: hostileText })
})
