import { expect, test } from 'vitest'
import { positionsOf } from './import-columns.ts'
import { readImport } from './read-import.ts'
import { problemOfAddress, problemOfDates, readPerson } from './read-person.ts'

const now = Date.UTC(2026, 0, 2)
const header = ['Mail', 'Came', 'Agreed']
const columns = { email: 0, signedUpAt: 1, consentedAt: 2 }
const ada = { identity: 'ada@example.com', address: 'Ada@example.com' }
const day = (text: string) => Date.parse(text)

test.each([
  [['Ada@example.com'], { signedUpAt: now, consentedAt: null }],
  [['Ada@example.com', '2025-01-01'], { signedUpAt: day('2025-01-01'), consentedAt: null }],
  [
    ['Ada@example.com', '', '2025-02-01'],
    { signedUpAt: day('2025-02-01'), consentedAt: day('2025-02-01') },
  ],
  [
    ['Ada@example.com', '2025-01-01', '2025-02-01'],
    { signedUpAt: day('2025-01-01'), consentedAt: day('2025-02-01') },
  ],
  [['Ada@example.com', 'soon', 'later'], { signedUpAt: now, consentedAt: null }],
])('the line %j is a person with these days', (fields, days) => {
  expect(readPerson(fields, columns, { now })).toEqual({ ...ada, ...days })
})

test('all agreed on a day, unless their line says when', () => {
  const consentedAt = day('2025-03-01')
  const read = (fields: string[]) => readPerson(fields, columns, { consentedAt, now })
  expect(read(['Ada@example.com'])).toEqual({ ...ada, signedUpAt: consentedAt, consentedAt })
  expect(read(['Ada@example.com', '', '2025-02-01'])?.consentedAt).toBe(day('2025-02-01'))
})

test.each([
  ["'+ada@example.com", '+ada@example.com'],
  ["'-ada@example.com", '-ada@example.com'],
  ["'ada@example.com", "'ada@example.com"],
  ["o'=ada@example.com", "o'=ada@example.com"],
])('an address that is written as %s is %s', (written, address) => {
  expect(readPerson([written], columns, { now })?.address).toBe(address)
})

test('a line without an address is refused with its words, and without them for the count', () => {
  expect(readPerson(['nobody'], columns, { now })).toBeUndefined()
  expect(readPerson(['ada@example.com'], { ...columns, email: undefined }, { now })).toBeUndefined()
  expect(problemOfAddress(['nobody'], columns)).toEqual({
    why: '"nobody" is not an email address',
    reason: 'not an email address',
  })
  expect(problemOfAddress([], columns).why).toBe('"" is not an email address')
})

const unwritten =
  'not written like 2026-11-21 or 2026-11-21T09:30:00Z, so day and month could be mixed up'
const unreal = 'is not a date, or is in the future'

test.each([
  ['', '', undefined, undefined],
  ['2025-01-01', '2026-01-02', undefined, undefined],
  [
    '1/2/2025',
    '',
    `"1/2/2025" under "Came" is ${unwritten}`,
    `the date under "Came" is ${unwritten}`,
  ],
  [
    '',
    '1/2/2025',
    `"1/2/2025" under "Agreed" is ${unwritten}`,
    `the date under "Agreed" is ${unwritten}`,
  ],
  ['2026-01-03', '', `"2026-01-03" ${unreal}`, 'the date does not exist, or is in the future'],
  ['2025-02-31', '', `"2025-02-31" ${unreal}`, 'the date does not exist, or is in the future'],
])('of the days %j and %j it is said: %s', (came, agreed, why, reason) => {
  const problem = problemOfDates(['a@b.co', came, agreed], { header, columns, now })
  expect(problem).toEqual(why === undefined ? undefined : { why, reason })
})

test('the columns that say who somebody is are those that are known', () => {
  expect(positionsOf(columns)).toEqual(new Set([0, 1, 2]))
  expect(positionsOf({ email: 3, signedUpAt: undefined })).toEqual(new Set([3]))
})

test('a file without a column of addresses is refused, and so is a day of consent in the future', async () => {
  const read = (file: string, consentedAt?: number) =>
    readImport(Buffer.from(file), { consentedAt, now })
  await expect(read('name,age\nAda,36\n')).rejects.toThrow(
    'No column has the addresses. The columns are: "name", "age". The first line must name the columns, one of them "email".',
  )
  await expect(read('')).rejects.toThrow('The columns are: none.')
  await expect(read('email\nada@example.com\n', now + 1)).rejects.toThrow(
    'The day of their consent is in the future.',
  )
  expect((await read('email\nada@example.com\nnobody\n', now)).refused).toEqual([
    { line: 3, why: '"nobody" is not an email address', reason: 'not an email address' },
  ])
})
