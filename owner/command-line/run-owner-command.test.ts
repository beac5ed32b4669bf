import { expect, test } from 'vitest'
import { openOwnerTerminal, ownerOf } from '#rigs/owner-terminal.ts'

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
  [['nonsense'], 'There is no command "nonsense".'],
  [['subscribers'], 'There is no command "subscribers".'],
  [['help', 'nonsense'], 'There is no command "nonsense".'],
  [['subscribers', 'find'], 'ADDRESS is missing.'],
  [['stats', '--loud'], 'stats has no option --loud.'],
  [['stats', '-x'], 'stats has no option -x.'],
  [['doctor', 'who'], '"who" is too much.'],
  [['doctor', '--json=yes'], '--json takes no value.'],
  [['doctor', '--send-test'], '--send-test needs a value.'],
])('%s is not understood: exit code 2, and what it is', async (words, why) => {
  const { code, aside } = await owner(...words)
  expect(code).toBe(2)
  expect(aside.startsWith(why)).toBe(true)
  expect(aside).toMatch(/npm run owner -- .*\n$/)
})

test.each([
  ['subscribers list --help'],
  ['subscribers list --limit 3 -h'],
  ['help subscribers list'],
  ['--help subscribers list'],
])('%s tells all about it, and does nothing', async (words) => {
  const { code, printed } = await owner(...words.split(' '))
  expect(code).toBe(0)
  expect(printed).toMatch(/^npm run owner -- subscribers list .*\[--limit N\]/)
  for (const part of [
    '\nOptions\n',
    '  --limit N',
    '  --help  ',
    '\nExample\n  npm run owner -- ',
    '\nExit code\n  0 done',
  ])
    expect(printed).toContain(part)
})

/** Who types it as printed has addresses in a folder that git leaves alone. */
test.each(['backup', 'restore', 'subscribers export', 'stats', 'bounces import'])(
  'the file in the example of %s is below data/',
  async (command) => {
    const { printed } = await owner('help', ...command.split(' '))
    expect(printed).toMatch(/\nExample\n.* data\/[\w-]+\.\w+\n/)
  },
)

test('the doctor says what its exit codes mean', async () => {
  expect((await owner('help', 'doctor')).printed).toContain('0 nothing is wrong, 1 something is wrong, 2')
})

test('the first word of several commands shows those', async () => {
  const { code, printed } = await owner('subscribers', '--help')
  expect(code).toBe(0)
  expect(printed).toContain('  subscribers find')
  expect(printed).not.toContain('  deliveries')
})

test.each([
  ['subscribers list --state nonsense', '--state must be'],
  ['subscribers list --since x', '--since must be'],
  ['subscribers list --limit x', '--limit must be'],
  ['subscribers find x', '"x" is no email address'],
  ['deliveries show x', 'ID must be'],
  ['doctor --send-test x', '"x" is no email address'],
  ['move-to x', 'Give the address of a database'],
  ['move-to', 'Give the address of a database'],
])('a word in "%s" cannot be read: exit code 2, and one sentence', async (line, why) => {
  const { owner: ownerOfAList } = await openOwnerTerminal()
  const { code, printed, aside } = await ownerOfAList(...line.split(' '))
  expect({ code, printed }).toEqual({ code: 2, printed: '' })
  expect(aside.startsWith(why)).toBe(true)
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
