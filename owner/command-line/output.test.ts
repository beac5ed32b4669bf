import { expect, test } from 'vitest'
import { plainJson, plainText, recordTable } from './output.ts'

/** Markup, terminal control codes, letters that reverse the line. */
const hostileText = '<img src=x onerror=alert(1)>\u001B[2J\u009B31m\u202E&"'

test('control codes for a terminal become question marks', () => {
  expect(plainText(hostileText)).toBe('<img src=x onerror=alert(1)>?[2J?31m?&"')
})

test('in JSON they are escaped, and nothing is lost', () => {
  const printed = plainJson({ text: hostileText })
  expect(printed).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(JSON.parse(printed)).toEqual({ text: hostileText })
})

test('a table has plain columns, numbers to the right, and no space at the end of a line', () => {
  const table = recordTable([
    { id: 7, address: 'ada@example.com', error: '' },
    { id: 12, address: 'b@c.co', error: 'smtp 550' },
  ])
  expect(table).toBe('id  address          error\n 7  ada@example.com\n12  b@c.co           smtp 550\n')
})
