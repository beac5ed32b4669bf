import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSecret } from '#server/database/settings.ts'
import { blockInbox } from '#server/subscribers/blocked-addresses.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { openOwnerTerminal, ownerNow, subscribe } from '#rigs/owner/owner-terminal.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

test('people of a file are on the list, active, with consent only where a column gives its date, and nobody is mailed', async () => {
  const { database, importCsv } = await openList()
  const { code, printed } = await importCsv(
    'Name,E-Mail,announcements_agreed_at,signed_up_at\n' +
      'Ada,Ada@example.com,2025-05-06T07:08:09.000Z,2024-03-02\n' +
      'Bob,bob@example.com,,\n',
  )
  expect({ code, printed }).toEqual({ code: 0, printed: '2 added, 0 on the list before, 0 refused.\n' })
  expect(await peopleOn(database)).toEqual([
    {
      identity: 'ada@example.com',
      address: 'Ada@example.com',
      state: 'active',
      signed_up_at: Date.UTC(2024, 2, 2),
      announcements_agreed_at: Date.UTC(2025, 4, 6, 7, 8, 9),
    },
    {
      identity: 'bob@example.com',
      address: 'bob@example.com',
      state: 'active',
      signed_up_at: ownerNow,
      announcements_agreed_at: null,
    },
  ])
  expect(await database.query.selectFrom('deliveries').selectAll().execute()).toEqual([])
})

test('people who are or were on the list stay as they are', async () => {
  const { database, importCsv } = await openList()
  await subscribe(database, 'Ada@example.com')
  await subscribe(database, 'left@example.com')
  await leaveTheList(database, 2, 'unsubscribed', ownerNow)
  const before = await peopleOn(database)
  const { printed } = await importCsv(
    'email,announcements_agreed_at\nADA@example.com,2025-01-01\nleft@example.com,\nnew@example.com,\nnew@example.com,\n',
  )
  expect(printed).toBe('1 added, 3 on the list before, 0 refused.\n')
  expect((await peopleOn(database)).slice(0, 2)).toEqual(before)
})

test('an inbox whose holder blocked our mail is refused, also after its erasure and in another spelling', async () => {
  const { database, importCsv } = await openList()
  const blocking = { database, secret: await readSecret(database.query), now: () => ownerNow }
  await blockInbox(blocking, { identity: 'ada.b@gmail.com', abuse_key: 'adab@gmail.com' }, 'link')
  for (const options of [['--dry-run'], []]) {
    const { printed } = await importCsv('email\nnobody\nAdaB+kit@gmail.com\nbob@gmail.com\n', ...options)
    expect(printed.replace(/^Nothing.*?[.] /m, '').split('\n')).toEqual([
      'Line 2: "nobody" is not an email address.',
      'Line 3: the holder of "AdaB+kit@gmail.com" blocked our mail.',
      expect.stringMatching(/^1 .*added, 0 on the list before, 2 refused.$/),
      '',
    ])
  }
  expect((await peopleOn(database)).map(({ identity }) => identity)).toEqual(['bob@gmail.com'])
})

test('imported people of an inbox leave the list when its holder blocks our mail, so no announcement goes there', async () => {
  const { database, importCsv } = await openList()
  await importCsv('email\nAdaB+kit@gmail.com\nada.b@gmail.com\nbob@gmail.com\n')
  const blocking = { database, secret: await readSecret(database.query), now: () => ownerNow }
  await blockInbox(blocking, { identity: 'adab@gmail.com', abuse_key: null }, 'link')
  const active = (await peopleOn(database)).filter(({ state }) => state === 'active')
  expect(active.map(({ identity }) => identity)).toEqual(['bob@gmail.com'])
})

const faulty =
  '\uFEFFemail;state;consented_at\r\n' +
  'ada@example.com;active;2025-01-01\r\n' +
  '\r\n' +
  'nobody;active;\r\n' +
  '"bob@\u0007example.com";;\r\n' +
  ';;\r\n' +
  'left@example.com;unsubscribed;\r\n' +
  'soon@example.com;;2030-01-01\r\n' +
  'british@example.com;;01/02/2025\r\n' +
  'ada@example.com;;\r\n'
const refusals = [
  'Line 4: "nobody" is not an email address.',
  'Line 5: "bob@?example.com" is not an email address.',
  'Line 6: "" is not an email address.',
  'Line 7: the state is "unsubscribed".',
  'Line 8: "2030-01-01" is not a time of the past.',
  'Line 9: "01/02/2025" is not a time of the past.',
]

test('each refused line is named with its reason', async () => {
  const { importCsv } = await openList()
  const { code, printed } = await importCsv(faulty)
  expect(code).toBe(0)
  expect(printed.trimEnd().split('\n')).toEqual([...refusals, '1 added, 1 on the list before, 6 refused.'])
})

test('a dry run says the same, and changes nothing', async () => {
  const { database, importCsv } = await openList()
  const { code, printed } = await importCsv(faulty, '--dry-run')
  expect(code).toBe(0)
  expect(printed.trimEnd().split('\n')).toEqual([
    ...refusals,
    'Nothing was changed. 1 would be added, 1 on the list before, 6 refused.',
  ])
  expect(await peopleOn(database)).toEqual([])
})

test('an export is imported as it was, also an address that a spreadsheet would run', async () => {
  const { database, owner, importCsv } = await openList()
  for (const email of ['=cmd+1@example.com', "o'brien@example.com"]) await subscribe(database, email)
  const { printed } = await owner('subscribers', 'export')
  const before = await peopleOn(database)
  await database.query.deleteFrom('subscribers').execute()
  await importCsv(printed)
  expect(await peopleOn(database)).toEqual(before)
})

test('the rows before one that cannot be read are imported', async () => {
  const { database, importCsv } = await openList()
  const { code, printed } = await importCsv('email\nada@example.com\nnobody\n"bob@example.com\n')
  expect({ code, printed }).toEqual({ code: 1, printed: 'Line 3: "nobody" is not an email address.\n' })
  expect((await peopleOn(database)).map(({ identity }) => identity)).toEqual(['ada@example.com'])
})

test('a first line that does not end is refused before it fills the memory', async () => {
  const { owner } = await openList()
  const file = join(temporaryFolder(), 'endless.csv')
  writeFileSync(file, 'email')
  truncateSync(file, 600_000_000) // more than a string holds
  const { code, aside } = await owner('subscribers', 'import', file)
  expect({ code, aside }).toEqual({ code: 1, aside: expect.stringContaining('The rest cannot be read') })
})

test('the inbox behind an imported address counts as that of a sign-up', async () => {
  const { database, importCsv } = await openList()
  await importCsv('email\nA.da+kit@gmail.com\nbob@example.com\n')
  const people = database.query.selectFrom('subscribers').select('abuse_key').orderBy('id')
  expect(await people.execute()).toEqual([{ abuse_key: 'ada@gmail.com' }, { abuse_key: null }])
})

test.each([
  ['name\nAda\n', 'The first line must name the columns, and one of them must be "email".\n'],
  ['', 'The first line must name the columns, and one of them must be "email".\n'],
  [
    'email\n"ada@example.com\n',
    expect.stringMatching(/^The rest cannot be read: Quote Not Closed: .* at line 2\.\n$/),
  ],
])('a file that is not such a CSV is a failure: %j', async (text, aside) => {
  const { importCsv } = await openList()
  expect(await importCsv(text)).toMatchObject({ code: 1, aside })
})

test('a file of several batches shows its progress in a terminal', async () => {
  const { database, importCsv } = await openList(true)
  const lines = Array.from({ length: 1_234 }, (_, index) => `visitor-${index}@example.com\n`)
  const { printed, aside } = await importCsv(`email\n${lines.join('')}`)
  expect(printed).toBe('1234 added, 0 on the list before, 0 refused.\n')
  expect(await peopleOn(database)).toHaveLength(1_234)
  expect(aside.split('\r').map((shown) => shown.slice(0, 40))).toEqual([
    '',
    expect.stringMatching(/^bytes \[#+\.+\]  39 %/),
    expect.stringMatching(/^bytes \[#+\.+\]  80 %/),
    expect.stringMatching(/^bytes \[#+\] 100 %/),
  ])
})

async function openList(isTerminal = false) {
  const { database, owner } = await openOwnerTerminal({}, { isTerminal })
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

function peopleOn({ query }: Awaited<ReturnType<typeof openList>>['database']) {
  return query
    .selectFrom('subscribers')
    .select(['identity', 'address', 'state', 'signed_up_at', 'announcements_agreed_at'])
    .orderBy('id')
    .execute()
}
