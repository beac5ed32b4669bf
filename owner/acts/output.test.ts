import { expect, test } from 'vitest'
import { plainJson, plainText } from './output.ts'
import { recordTable } from './terminal/tables.ts'

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
  const rows = [
    { id: 7, address: 'ada@example.com', sent_at: null, error: null },
    { id: 12, address: 'b@c.co', sent_at: 0, error: `smtp ${hostileText}` },
  ]
  expect(recordTable(rows, ['id', 'sent_at', 'error'])).toBe(
    'id  sent_at              error\n 7  -\n12  1970-01-01 00:00:00  smtp <img src=x onerror=alert(1)>?[2J?31m?&"\n',
  )
})
