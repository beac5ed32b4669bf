import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { ownerNow, ownerOf } from '#rigs/owner/owner-commands.ts'
import { openOwnerTerminal, subscribe } from '#rigs/owner/owner-terminal.ts'
import { emptyExtension, testApp } from '#rigs/server/test-app.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import type { Database } from '#server/database/database.ts'
import { blockInbox, leaveTheList } from '#server/subscribers/leave-the-list.ts'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'

test('people of a file are on the list, active, with consent only where a column gives its date, and nobody is mailed', async () => {
  const { database, importCsv } = await openList()
  const { code, printed } = await importCsv(
    'Name,E-Mail,announcements_agreed_at,signed_up_at\n' +
      'Ada,Ada@example.com,2025-05-06T07:08:09.000Z,2024-03-02\n' +
      'Bob,bob@example.com,,\n',
  )
  expect({ code, printed }).toEqual({
    code: 0,
    printed: '2 added, 0 on the list before, 0 refused.\n',
  })
  expect(await peopleOn(database)).toEqual([
    {
      address: 'Ada@example.com',
      state: 'active',
      signed_up_at: Date.UTC(2024, 2, 2),
      announcements_agreed_at: Date.UTC(2025, 4, 6, 7, 8, 9),
    },
    {
      address: 'bob@example.com',
      state: 'active',
      signed_up_at: ownerNow,
      announcements_agreed_at: null,
    },
  ])
  expect(await database.rows(sql`select id from deliveries`)).toEqual([])
})

test('--consented-at says that all agreed that day, to the series as well, and people count from their consent', async () => {
  const { database, importCsv } = await openList()
  const text = 'email,consented_at\nada@example.com,\nbob@example.com,2025-01-02\n'
  expect(await importCsv(text, '--consented-at', '2025-06-01')).toMatchObject({ code: 0 })
  const rows = await database.rows(
    sql`select signed_up_at as "at", announcements_agreed_at as "agreed", series_from is not null as "inSeries" from subscribers order by id`,
  )
  const june = Date.UTC(2025, 5, 1)
  const january = Date.UTC(2025, 0, 2)
  expect(rows).toEqual([
    { at: june, agreed: june, inSeries: expect.toSatisfy(Boolean) },
    { at: january, agreed: january, inSeries: expect.toSatisfy(Boolean) },
  ])
})

test.each([
  ['2026-02-30', 2, /--consented-at <DATE>.* is invalid/],
  ['2031-01-01', 2, /^The day of their consent is in the future\.\n$/],
])('%s is no day of consent', async (day, code, aside) => {
  const { importCsv } = await openList()
  expect(await importCsv('email\nada@example.com\n', '--consented-at', day)).toEqual({
    code,
    printed: '',
    aside: expect.stringMatching(aside),
  })
})

test('a value that is not understood stops the import until the owner says what it means', async () => {
  const { database, importCsv } = await openList()
  const text =
    'email,Status\nada@example.com,zombie\nbob@example.com,customer\nleft@example.com,unsubscribed\n'
  expect(await importCsv(text)).toEqual({
    code: 2,
    printed: '',
    aside:
      'May these people be mailed?\n' +
      '  "Status" says "zombie": 1 line\n' +
      '  "Status" says "customer": 1 line\n' +
      'Say it with --active-value or --left-value. Nothing was imported.\n',
  })
  expect(await peopleOn(database)).toEqual([])
  const said = ['--active-value', 'Customer', '--left-value', 'zombie']
  expect((await importCsv(text, ...said)).printed).toBe(
    'Line 2: the column "Status" says "zombie".\n' +
      'Line 4: the column "Status" says "unsubscribed".\n' +
      '1 added, 0 on the list before, 2 refused.\n',
  )
})

test('columns that sound like consent or leaving and are not used are named before anybody is added, and a terminal asks', async () => {
  const text = 'email,GDPR,Status\nada@example.com,granted,unsubscribed\n'
  for (const answer of ['no', 'yes']) {
    const asked: string[] = []
    const ask = async (question: string) => {
      asked.push(question)
      return answer
    }
    const { database, importCsv } = await openList({ ask })
    const { printed } = await importCsv(
      text,
      '--status-column',
      'GDPR',
      '--active-value',
      'granted',
    )
    const outcome =
      answer === 'yes' ? '1 added, 0 on the list before, 0 refused.' : 'Nothing was imported.'
    expect(printed).toBe(
      `Not used, although it sounds like consent or leaving: "Status".\n${outcome}\n`,
    )
    expect(asked).toEqual(['Import them without it? Type yes.'])
    expect(await peopleOn(database)).toHaveLength(answer === 'yes' ? 1 : 0)
  }
})

test('an import is named after its file, or as --campaign says', async () => {
  const { database, importCsv } = await openList()
  await importCsv('email\nada@example.com\n')
  await importCsv('email\nben@example.com\n', '--campaign', 'Gumroad 2025')
  await importCsv('email\ncyd@example.com\n', '--campaign', '')
  expect(await database.rows(sql`select campaign from subscribers order by id`)).toEqual([
    { campaign: 'people' },
    { campaign: 'gumroad-2025' },
    { campaign: null },
  ])
})

test('the column of addresses can be named, and a name that the file does not have is a usage error', async () => {
  const { importCsv } = await openList()
  const text = 'Who,Since\nada@example.com,2025-01-02\n'
  expect((await importCsv(text)).aside).toBe(
    'No column has the addresses. The columns are: "Who", "Since". The first line must name the columns, one of them "email".\n',
  )
  expect((await importCsv(text, '--address-column', 'Who')).printed).toBe(
    '1 added, 0 on the list before, 0 refused.\n',
  )
  for (const option of ['--address-column', '--status-column']) {
    expect(await importCsv(text, option, 'nonsense')).toMatchObject({
      code: 2,
      aside: 'There is no column "nonsense". The columns are: "Who", "Since".\n',
    })
  }
})

test('refusals are grouped, with three examples each, and all of them can be written to a file', async () => {
  const { importCsv } = await openList()
  const lines = [
    ...Array.from({ length: 1_000 }, (_, index) => `visitor-${index}@example.com,01/02/2025`),
    'nobody,',
  ]
  const file = join(temporaryFolder(), 'refused.csv')
  const csv = `email,created_at\n${lines.join('\n')}\n`
  const { printed } = await importCsv(csv, '--refused', file)
  expect(printed.split('\n').map((line) => line.slice(0, 30))).toEqual([
    'Line 2: "01/02/2025" under "cr',
    'Line 3: "01/02/2025" under "cr',
    'Line 4: "01/02/2025" under "cr',
    'And 997 more: the date under "',
    'Line 1002: "nobody" is not an ',
    '0 added, 0 on the list before,',
    '',
  ])
  const written = readFileSync(file, 'utf8').split('\r\n')
  expect(written).toHaveLength(1_003)
  expect(written[1_001]).toBe(`1002,"""nobody"" is not an email address"`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('people who are or were on the list stay as they are', async () => {
  const { database, importCsv } = await openList()
  await subscribe(database, 'Ada@example.com')
  await subscribe(database, 'left@example.com')
  await database.transaction((transaction) =>
    leaveTheList(transaction, 2, 'unsubscribed', ownerNow),
  )
  const before = await peopleOn(database)
  const { printed } = await importCsv(
    'email,announcements_agreed_at\nADA@example.com,2025-01-01\nleft@example.com,\nnew@example.com,\nnew@example.com,\n',
  )
  expect(printed).toBe('1 added, 2 on the list before, 1 twice in the file, 0 refused.\n')
  expect((await peopleOn(database)).slice(0, 2)).toEqual(before)
})

test('an inbox whose holder blocked our mail is refused, also in another spelling', async () => {
  const { database, importCsv } = await openList()
  await subscribe(database, 'ada.b@gmail.com')
  const holder = { identity: 'ada.b@gmail.com', abuse_key: 'adab@gmail.com' }
  await database.transaction((transaction) => blockInbox(transaction, holder, ownerNow))
  for (const options of [['--dry-run'], []]) {
    const { printed } = await importCsv(
      'email\nnobody\nAdaB+kit@gmail.com\nbob@gmail.com\n',
      ...options,
    )
    expect(printed.replace(/^Nothing.*?[.] /m, '').split('\n')).toEqual([
      'Line 2: "nobody" is not an email address.',
      'Line 3: the holder of "AdaB+kit@gmail.com" blocked our mail.',
      expect.stringMatching(/^1 .*added, 0 on the list before, 2 refused.$/),
      '',
    ])
  }
  expect((await peopleOn(database)).map(({ address }) => address)).toEqual([
    'ada.b@gmail.com',
    'bob@gmail.com',
  ])
})

const faulty =
  '\uFEFFemail;state;consented_at\r\n' +
  'ada@example.com;active;2025-01-01\r\n' +
  '\r\n' +
  'nobody;active;\r\n' +
  '"bob@\u0007example.com";;\r\n' +
  'ada@example.com;;\r\n' +
  'cyd@example.com;unsubscribed;\r\n' +
  'dan@example.com;active;2026-02-30\r\n' +
  'eve@example.com;active;2031-01-01\r\n'
const refusals = [
  'Line 4: "nobody" is not an email address.',
  'Line 5: "bob@?example.com" is not an email address.',
  'Line 8: "2026-02-30" is not a date, or is in the future.',
  'Line 9: "2031-01-01" is not a date, or is in the future.',
  'Line 7: the column "state" says "unsubscribed".',
]

test('each refused line is named with its reason, and a dry run says the same and changes nothing', async () => {
  const { database, importCsv } = await openList()
  const tried = await importCsv(faulty, '--dry-run')
  expect(tried.code).toBe(0)
  const would =
    'Nothing was changed. 1 would be added, 0 on the list before, 1 twice in the file, 5 refused.'
  expect(tried.printed.trimEnd().split('\n')).toEqual([...refusals, would])
  expect(await peopleOn(database)).toEqual([])
  const { printed } = await importCsv(faulty)
  expect(printed.trimEnd().split('\n')).toEqual([
    ...refusals,
    '1 added, 0 on the list before, 1 twice in the file, 5 refused.',
  ])
})

test('an export is imported as it was, also an address that a spreadsheet would run', async () => {
  const { database, owner, importCsv } = await openList()
  for (const email of ['=cmd+1@example.com', "o'brien@example.com"]) {
    await subscribe(database, email)
  }
  const { printed } = await owner('subscribers', 'export')
  const before = await peopleOn(database)
  await database.transaction((transaction) => transaction.run(sql`delete from subscribers`))
  await importCsv(printed)
  expect(await peopleOn(database)).toEqual(before)
})

test('a file of several batches is imported whole, and its addresses count by their inbox', async () => {
  const { database, importCsv } = await openList()
  const lines = Array.from({ length: 1_234 }, (_, index) => `visitor-${index}@example.com\n`)
  const { printed } = await importCsv(`email\nA.da+kit@gmail.com\n${lines.join('')}`)
  expect(printed).toBe('1,235 added, 0 on the list before, 0 refused.\n')
  expect(await peopleOn(database)).toHaveLength(1_235)
  expect(await database.row(sql`select abuse_key from subscribers where id = 1`)).toEqual({
    abuse_key: 'ada@gmail.com',
  })
})

test('somebody who was imported and signs up at once gets the mail, and was never mailed before', async () => {
  const app = await testApp({
    extension: { ...emptyExtension, migrations: ownerMigrations },
  })
  const owner = ownerOf(app.databaseUrl, {}, { now: app.clock.now })
  const file = join(temporaryFolder(), 'people.csv')
  writeFileSync(file, 'email\nada@example.com\n')
  await owner('subscribers', 'import', file)
  const { printed } = await owner('subscribers', 'find', 'ada@example.com', '--json')
  expect(JSON.parse(printed)).toMatchObject({ subscriber: { last_mailed_at: null } })

  expect(await (await app.signUp('ada@example.com')).json()).toMatchObject({
    alreadyExists: true,
    resentAt: expect.any(String),
    receipt: expect.any(String),
  })
  await expect.poll(() => app.mailer.addresses()).toEqual(['ada@example.com'])
  expect(await (await app.signUp('ada@example.com')).json()).toMatchObject({ resentAt: null })
  expect(app.mailer.addresses()).toEqual(['ada@example.com'])
})

test('the help says what an import does, with each option and an example', async () => {
  const { owner } = await openOwnerTerminal()
  const { printed } = await owner('subscribers', 'import', '--help')
  const words = printed.replaceAll(/\s+/g, ' ')
  for (const one of [
    'subscribers import [options] <FILE>',
    'Put the people in a CSV file on the list. Nobody is mailed, and people already on it stay as they are',
    'Its first line names the columns: email and, optionally, announcements_agreed_at',
    '--dry-run Say what would happen, and change nothing',
    '--consented-at <DATE> All of them agreed that day to hear from you',
    '--campaign <NAME> The campaign of these people. Without it, the name of the file',
    '--address-column <NAME> The column of addresses',
    '--status-column <NAME> The only column that says who may be mailed',
    '--active-value <VALUE> A value of such a column that means: may be mailed. Repeat it for another',
    '--left-value <VALUE> A value that means: has left, or may not be mailed',
    '--refused <FILE> Write every refused line, and why, to a new file',
    'subscribers import data/people.csv',
  ]) {
    expect(words).toContain(one)
  }
})

async function openList(outside: Partial<CommandContext> = {}) {
  const { database, owner } = await openOwnerTerminal({}, outside)
  return {
    database,
    owner,
    importCsv(text: string, ...options: string[]) {
      const file = join(temporaryFolder(), 'people.csv')
      writeFileSync(file, text)
      return owner('subscribers', 'import', file, ...options)
    },
  }
}

function peopleOn(database: Database) {
  return database.rows<{ address: string; state: string }>(
    sql`select address, state, signed_up_at, announcements_agreed_at from subscribers order by id`,
  )
}
