import { expect, test } from 'vitest'
import { ownerOf } from '#rigs/owner/owner-commands.ts'
import { openOwnerTerminal } from '#rigs/owner/owner-terminal.ts'

const owner = ownerOf('file:/nowhere/none.db')

test('without a command the help lists all commands and groups', async () => {
  const { code, printed } = await owner()
  expect(code).toBe(0)
  for (const command of [
    'subscribers',
    'deliveries',
    'stats',
    'doctor',
    'backup',
    'restore',
    'webhooks',
    'mailings',
    'content',
    'desk-link',
  ]) {
    expect(printed).toContain(`\n  ${command} `)
  }
  expect(printed).toContain('Exit code: 0 success')
})

test.each([
  [['nonsense'], "unknown command 'nonsense'"],
  [['subscribers', 'nonsense'], "unknown command 'nonsense'"],
  [['subscribers', 'find'], "missing required argument 'ADDRESS'"],
  [['stats', '--loud'], "unknown option '--loud'"],
  [['stats', '-x'], "unknown option '-x'"],
  [['doctor', 'who'], "too many arguments for 'doctor'"],
  [['doctor', '--json=yes'], "unknown option '--json=yes'"],
  [['doctor', '--send-test'], "option '--send-test <ADDRESS>' argument missing"],
])('%s is a usage error with exit code 2', async (words, why) => {
  const { code, printed, aside } = await owner(...words)
  expect({ code, printed }).toEqual({ code: 2, printed: '' })
  expect(aside).toMatch(/^error: .*\nAdd --help to see how it is used\.\n$/)
  expect(aside).toContain(why)
})

test('a group without a command is a usage error, and shows its commands', async () => {
  const { code, aside } = await owner('subscribers')
  expect(code).toBe(2)
  expect(aside).toContain('  find [options] <ADDRESS>')
})

test('--help shows the help of a command', async () => {
  const { code, printed, aside } = await owner('subscribers', 'export', '--help')
  expect({ code, aside }).toEqual({ code: 0, aside: '' })
  expect(printed).toMatch(/^Usage: npm run owner -- subscribers export /)
  for (const part of ['Options:', '--since <DATE>', '--help  ', 'Example:\n  npm run owner -- ']) {
    expect(printed).toContain(part)
  }
  for (const line of printed.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

/** git ignores data/, so an owner who copies the example does not commit addresses. */
test.each([
  'backup',
  'restore',
  'subscribers export',
  'subscribers suppress',
  'subscribers import',
])('the file in the example of %s is below data/', async (command) => {
  const { printed } = await owner(...command.split(' '), '--help')
  expect(printed).toMatch(/Example:\n.* data\/[\w-]+\.\w+\n/)
})

test('the help of the doctor explains its exit codes', async () => {
  expect((await owner('doctor', '--help')).printed).toContain(
    '0 nothing is wrong, 1 something is wrong',
  )
})

test('the help of a group lists only its commands', async () => {
  const { code, printed } = await owner('subscribers', '--help')
  expect(code).toBe(0)
  expect(printed).toContain('  find [options] <ADDRESS>')
  expect(printed).not.toContain('  deliveries')
})

test.each([
  [
    'subscribers export --state nonsense',
    "option '--state <STATE>' argument 'nonsense' is invalid. Allowed",
  ],
  [
    'subscribers export --since x',
    "option '--since <DATE>' argument 'x' is invalid. It must be a day like",
  ],
  ['stats --days x', "option '--days <N>' argument 'x' is invalid. It must be a whole number"],
  [
    'subscribers find x',
    "command-argument value 'x' is invalid for argument 'ADDRESS'. It is not an email",
  ],
  [
    'deliveries retry x',
    "command-argument value 'x' is invalid for argument 'ID|failed|held'. It must be a whole number",
  ],
  [
    'doctor --send-test x',
    "option '--send-test <ADDRESS>' argument 'x' is invalid. It is not an email",
  ],
])('an unreadable word in "%s" is a usage error, explained in one sentence', async (line, why) => {
  const { owner: ownerOfAList } = await openOwnerTerminal()
  const { code, printed, aside } = await ownerOfAList(...line.split(' '))
  expect({ code, printed }).toEqual({ code: 2, printed: '' })
  expect(aside.replace(/^error: /, '')).toMatch(new RegExp(`^${RegExp.escape(why)}`))
})

test('a failure ends with exit code 1 and one sentence', async () => {
  expect(await owner('stats')).toEqual({
    code: 1,
    printed: '',
    aside: "There is no database at /nowhere/none.db yet: the server's first start creates it.\n",
  })
})

test('every error of the configuration is listed', async () => {
  const { code, aside } = await ownerOf('file:x.db', { PORT: 'x', PUBLIC_URL: 'nonsense' })('stats')
  expect(code).toBe(1)
  expect(aside).toMatch(/^The configuration has errors:\n {2}- PORT .*\n {2}- PUBLIC_URL .*\n$/)
})

test('a database server that does not answer is named without its password', async () => {
  const { code, aside } = await ownerOf('postgres://user:secret@127.0.0.1:1/db')('stats')
  expect(code).toBe(1)
  expect(aside).toContain('ECONNREFUSED')
  expect(aside).not.toContain('secret')
})

test.each([['stats'], ['desk-link'], ['subscribers', 'export'], ['content', 'export', 'FILE']])(
  '%s refuses the database of a newer version in one sentence',
  async (...words) => {
    const { database, owner: ask } = await openOwnerTerminal()
    await database.script("insert into migrations values ('9999-later')")
    expect(await ask(...words)).toEqual({
      code: 1,
      printed: '',
      aside: expect.stringMatching(/^The database is from a newer .* 9999-later:[^.]*\.\n$/),
    })
  },
)
