import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { openOwnerTerminal, subscribe } from '#rigs/owner/owner-terminal.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

test('people whose address came back get no more mail', async () => {
  const { database, owner } = await openOwnerTerminal()
  for (const name of ['plain', 'Quoted', "o'brien", 'angle', 'fine']) {
    await subscribe(database, `${name}@example.com`)
  }
  await subscribe(database, 'sent@example.com', 'sent')
  const lines = [
    '\uFEFFrecipient,reason',
    'plain@example.com,',
    '"quoted@Example.com","550, no such user"',
    "o'brien@example.com,5.1.1",
    'Final-Recipient: <angle@example.com>,bounce',
    'sent@example.com,invalid',
    'stranger@example.com,invalid',
    'plain@example.com,invalid',
  ]
  expect((await owner('bounces', 'import', fileOf(lines))).printed).toBe(
    '7 addresses read. Taken off the list: 5 undeliverable, 0 unsubscribed, 0 blocked.\n' +
      '1 left unchanged: the file does not say that their mailbox is gone, or that they left.\n',
  )
  expect(await activeOn(database)).toEqual(['fine@example.com'])
  expect(await database.rows(sql`select id from deliveries where state = 'queued'`)).toHaveLength(1)
  expect(await database.rows(sql`select id from subscribers where state = 'blocked'`)).toEqual([])
})

test.each([
  [['From;Diagnosis', 'bot@mail.example;gone@example.com'], '"From", "Diagnosis"'],
  [['gone@example.com', 'kept@example.com'], '"gone@example.com"'],
  [[''], 'none'],
])(
  'a file without a column of addresses is refused, and its columns are named: %j',
  async (lines, columns) => {
    const { database, owner } = await openOwnerTerminal()
    await subscribe(database, 'gone@example.com')
    expect(await owner('bounces', 'import', fileOf(lines))).toEqual({
      code: 1,
      printed: '',
      aside:
        `No column has the addresses that came back. The columns are: ${columns}. ` +
        'The first line must name the columns, one of them "email". Nothing was imported.\n',
    })
    expect(await activeOn(database)).toEqual(['gone@example.com'])
  },
)

test.each([
  [
    'only the address that bounced, and none of another column',
    ['sender,recipient,reported to', 'bot@example.com,gone@example.com,kept@example.com'],
    '1 address read. Taken off the list: 1 undeliverable, 0 unsubscribed, 0 blocked.\n',
  ],
  [
    'only permanent bounces, if a column has the type',
    [
      'Email;Bounce Type;Reason',
      'gone@example.com;HardBounce;"line 1; quoted ""so""',
      'line 2 of kept@example.com"',
      'kept@example.com;SoftBounce;mailbox full',
      'kept@example.com;;',
    ],
    '3 addresses read. Taken off the list: 1 undeliverable, 0 unsubscribed, 0 blocked.\n' +
      '2 left unchanged: the file does not say that their mailbox is gone, or that they left.\n',
  ],
  [
    'only permanent bounces, if blank lines or the separator stand above the names of the columns',
    ['\uFEFFsep=\t', '', '\tEmail\tType', '0\tgone@example.com\thard', '1\tkept@example.com\tsoft'],
    '2 addresses read. Taken off the list: 1 undeliverable, 0 unsubscribed, 0 blocked.\n' +
      '1 left unchanged: the file does not say that their mailbox is gone, or that they left.\n',
  ],
  [
    'only permanent bounces, by status codes',
    [
      'status,reason,email,created',
      '5.1.1,550 <kept@example.com> unknown,"gone@example.com",1',
      '4.2.2,full,kept@example.com,2',
    ],
    '2 addresses read. Taken off the list: 1 undeliverable, 0 unsubscribed, 0 blocked.\n' +
      '1 left unchanged: the file does not say that their mailbox is gone, or that they left.\n',
  ],
  [
    'only permanent bounces, if one of two columns says that it is temporary',
    ['Event,Type,Email', 'bounce,hard,gone@example.com', 'bounce,soft,kept@example.com'],
    '2 addresses read. Taken off the list: 1 undeliverable, 0 unsubscribed, 0 blocked.\n' +
      '1 left unchanged: the file does not say that their mailbox is gone, or that they left.\n',
  ],
  [
    'every row, also with quotes inside a field, and too many fields',
    [
      'note;email',
      '550 <"no one>: the 5" disk is full";stranger@example.com;',
      '550;gone@example.com',
    ],
    '2 addresses read. Taken off the list: 1 undeliverable, 0 unsubscribed, 0 blocked.\n',
  ],
  [
    'the address after an empty field',
    ['tag,email,type', ',gone@example.com,Hard', 'x,kept@example.com,Soft'],
    '2 addresses read. Taken off the list: 1 undeliverable, 0 unsubscribed, 0 blocked.\n' +
      '1 left unchanged: the file does not say that their mailbox is gone, or that they left.\n',
  ],
  [
    'never the sender or the support address',
    ['email', 'bot@example.com', 'to HELP@example.com: gone@example.com'],
    '3 addresses read. Taken off the list: 1 undeliverable, 0 unsubscribed, 0 blocked.\n',
  ],
])('of a file it takes %s', async (_what, lines, printed) => {
  const { database, owner } = await openOwnerTerminal({
    MAIL_FROM: 'Bot <Bot@example.com>',
    SUPPORT_EMAIL: 'help@example.com',
  })
  for (const name of ['gone', 'kept', 'bot', 'help']) {
    await subscribe(database, `${name}@example.com`)
  }
  expect((await owner('bounces', 'import', fileOf(lines))).printed).toBe(printed)
  expect(await activeOn(database)).toEqual([
    'bot@example.com',
    'help@example.com',
    'kept@example.com',
  ])
})

test('a long file is imported whole', async () => {
  const { database, owner } = await openOwnerTerminal()
  for (const name of ['first', 'last']) await subscribe(database, `${name}@example.com`)
  const strangers = Array.from({ length: 1_200 }, (_, index) => `stranger-${index}@example.com`)
  const lines = ['email', 'first@example.com', ...strangers, 'last@example.com']
  expect((await owner('bounces', 'import', fileOf(lines))).printed).toBe(
    '1,202 addresses read. Taken off the list: 2 undeliverable, 0 unsubscribed, 0 blocked.\n',
  )
})

test("Amazon's list of suppressed addresses marks bounces, and blocks who complained", async () => {
  const { database, owner } = await openOwnerTerminal()
  for (const name of ['gone', 'angry', 'kept']) await subscribe(database, `${name}@example.com`)
  const lines = [
    'Email address,Suppression reason,Status,Last update time',
    'gone@example.com,BOUNCE,,2026-01-01T00:00:00Z',
    'angry@example.com,COMPLAINT,,2026-01-01T00:00:00Z',
  ]
  await owner('bounces', 'import', fileOf(lines))
  expect(await database.rows(sql`select address, state from subscribers order by id`)).toEqual([
    { address: 'gone@example.com', state: 'undeliverable' },
    { address: 'angry@example.com', state: 'blocked' },
    { address: 'kept@example.com', state: 'active' },
  ])
})

test.each([
  'complained',
  'SpamComplaint',
  'spam_complaint',
  'spamreport',
  'email.complained',
  'abuse',
])('a row of the type "%s" blocks the inbox', async (type) => {
  const { database, owner } = await openOwnerTerminal()
  await subscribe(database, 'angry@example.com')
  await owner('bounces', 'import', fileOf(['event,email', `${type},angry@example.com`]))
  expect(await database.rows(sql`select state from subscribers`)).toEqual([{ state: 'blocked' }])
})

test('a table of another service takes people off, each with its reason, and nobody for a refusal of ours', async () => {
  const { database, owner } = await openOwnerTerminal()
  const lines = [
    'email,reason,status',
    'hard@b.example,hardBounce,',
    'spam@b.example,contactFlaggedAsSpam,',
    'left@b.example,unsubscribedViaEmail,',
    'ours@b.example,hardBounce,5.7.515',
    'theirs@b.example,550 message rejected as spam,5.7.26',
  ]
  for (const line of lines.slice(1)) await subscribe(database, line.split(',')[0]!)
  expect((await owner('bounces', 'import', fileOf(lines))).printed).toBe(
    '5 addresses read. Taken off the list: 1 undeliverable, 1 unsubscribed, 1 blocked.\n' +
      '2 left unchanged: the file does not say that their mailbox is gone, or that they left.\n',
  )
  expect(await database.rows(sql`select state from subscribers order by id`)).toEqual([
    { state: 'undeliverable' },
    { state: 'blocked' },
    { state: 'unsubscribed' },
    { state: 'active' },
    { state: 'active' },
  ])
})

test('a quote that is never closed is an error that names its line', async () => {
  const { owner } = await openOwnerTerminal()
  const rows = ['email,reason', 'gone@example.com,unknown', 'kept@example.com,"full']
  for (const more of [[], Array.from({ length: 5_000 }, () => 'a line, and more of it')]) {
    const { code, aside } = await owner('bounces', 'import', fileOf([...rows, ...more]))
    expect([code, aside]).toEqual([
      1,
      expect.stringMatching(/^The file cannot be read: .* line \d+/),
    ])
  }
})

test('a missing file or folder is reported in one sentence', async () => {
  const { owner } = await openOwnerTerminal()
  for (const words of ['bounces import /nowhere/b.csv', 'subscribers export /nowhere/b.csv']) {
    expect((await owner(...words.split(' '))).aside).toMatch(
      /^It failed: ENOENT: no such file or directory, open '\/nowhere\/b\.csv.*'\.\n$/,
    )
  }
})

function fileOf(lines: readonly string[]): string {
  const file = join(temporaryFolder(), 'bounces.csv')
  writeFileSync(file, lines.join('\r\n'))
  return file
}

async function activeOn(database: Database): Promise<string[]> {
  const rows = await database.rows<{ address: string }>(
    sql`select address from subscribers where state = 'active' order by address`,
  )
  return rows.map(({ address }) => address)
}
