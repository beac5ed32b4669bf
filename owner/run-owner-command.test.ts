import { expect, test } from 'vitest'
import { ownerOf } from '#testing/owner-terminal.ts'

const owner = ownerOf('file:/nowhere/none.db')

test('without a command it shows them all', async () => {
  const { code, printed } = await owner()
  expect(code).toBe(0)
  for (const command of [
    'subscribers list',
    'deliveries retry',
    'stats',
    'doctor',
    'backup',
    'restore',
    'move-to',
  ])
    expect(printed).toContain(`  ${command}`)
})

test.each([
  [['nonsense']],
  [['subscribers']],
  [['subscribers', 'find']],
  [['stats', '--loud']],
  [['doctor', 'who']],
])('%s is not understood: exit code 2', async (words) => {
  const { code, aside } = await owner(...words)
  expect(code).toBe(2)
  expect(aside).toMatch(/npm run owner -- .*\n$/)
})

test('what cannot be done ends with exit code 1 and one sentence', async () => {
  expect(await owner('stats')).toEqual({
    code: 1,
    printed: '',
    aside: 'There is no database at /nowhere/none.db yet: the first npm start makes it.\n',
  })
})

test('a database server that is away is named, and its password is not', async () => {
  const { code, aside } = await ownerOf('postgres://user:secret@127.0.0.1:1/db')('stats')
  expect(code).toBe(1)
  expect(aside).toContain('ECONNREFUSED')
  expect(aside).not.toContain('secret')
})
