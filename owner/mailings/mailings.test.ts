import { expect, test } from 'vitest'
import { draft, listOf, rowOf } from '#rigs/owner/letters.ts'
import { titleOf } from './mailings.ts'

test.each([
  ['News', null, 'News'],
  ['News', '1.1.0', 'News'],
  [' ', null, 'A letter without a subject'],
  ['', '1.1.0', 'Version 1.1.0'],
])('a letter with the subject “%s”, about version %s, is named %s', (subject, version, title) => {
  expect(titleOf({ subject, version })).toBe(title)
})

test('a new draft is empty, and for people who agreed', async () => {
  const list = await listOf({})
  expect(await rowOf(list, await draft(list, {}))).toMatchObject({
    state: 'draft',
    subject: '',
    preview: '',
    words: '',
    to: 'consented',
    campaigns: null,
    notMailing: null,
    version: null,
    revision: 1,
  })
})
