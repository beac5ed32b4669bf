import { expect, test } from 'vitest'
import { type ImportOptions, readImport, readImportHeader, requireClear } from './read-import.ts'

const now = Date.UTC(2026, 0, 2, 3, 4, 5)

test.each([
  {
    tool: 'Substack and Ghost',
    lines: [
      'email,expiry,email_disabled,type',
      'ada@s.example,,false,free',
      'left@s.example,,true,free',
    ],
  },
  {
    tool: 'Substack and Ghost, chosen by hand',
    statusColumn: 'email_disabled',
    lines: [
      'email,expiry,email_disabled,type',
      'ada@s.example,,false,free',
      'left@s.example,,true,free',
    ],
  },
  {
    tool: 'Gumroad',
    lines: ['Purchase Email,Buyer Email,Do not contact?', 'ada@s.example,,0', 'left@s.example,,1'],
  },
  {
    tool: 'Gumroad, chosen by hand',
    statusColumn: 'Do not contact?',
    lines: ['Purchase Email,Buyer Email,Do not contact?', 'ada@s.example,,0', 'left@s.example,,1'],
  },
  {
    tool: 'HubSpot',
    lines: ['Email,Unsubscribed from all email', 'ada@s.example,false', 'left@s.example,true'],
  },
  {
    tool: 'HubSpot, chosen by hand',
    statusColumn: 'Unsubscribed from all email',
    lines: ['Email,Unsubscribed from all email', 'ada@s.example,false', 'left@s.example,true'],
  },
  {
    tool: 'Shopify',
    lines: [
      'Email,Accepts Email Marketing,Accepts SMS Marketing',
      'ada@s.example,yes,no',
      'left@s.example,no,yes',
    ],
  },
  {
    tool: 'Mailchimp',
    lines: [
      'Email Address,First Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,UNSUB_TIME',
      'ada@s.example,Ada,2,2024-05-06 07:08:09,1.2.3.4,',
      'left@s.example,Left,2,,,2025-05-06 07:08:09',
    ],
  },
  {
    tool: 'Beehiiv',
    lines: [
      'email,status,created_at',
      'ada@s.example,active,2025-01-02',
      'left@s.example,pending,2025-01-02',
    ],
  },
  {
    tool: 'Buttondown',
    lines: [
      'email_address,subscriber_type',
      'ada@s.example,regular',
      'left@s.example,unsubscribed',
    ],
  },
  {
    tool: 'MailerLite',
    lines: [
      'Subscriber,Subscribed,Status',
      'ada@s.example,2025-01-02,Active',
      'left@s.example,2025-01-02,Junk',
    ],
  },
])(
  'of a table of $tool those who left are refused, and nobody else',
  async ({ lines, statusColumn }) => {
    const { people, refused, unclear } = await read(lines, { statusColumn })
    expect(people.map(({ address }) => address)).toEqual(['ada@s.example'])
    expect(refused.map(({ line }) => line)).toEqual([3])
    expect(unclear).toBe(0)
  },
)

test.each([
  ['State', ['CA', 'NO']],
  ['Lead status', ['open', 'won']],
  ['type', ['free', 'paid']],
  ['Newsletter', ['weekly', 'monthly']],
  ['Newsletter', ['weekly', 'no']],
  ['Newsletter', ['', '']],
])(
  'a column "%s" that may be about mail is not if its values are not understood',
  async (name, values) => {
    const { people, permissionColumns } = await read([`email,${name}`, ...numbered(values)])
    expect(people).toHaveLength(values.length)
    expect(permissionColumns).toEqual([])
  },
)

test.each([
  ['State', ['CA', 'unsubscribed'], ['CA']],
  ['Lead status', ['won', 'Do not contact'], ['won']],
  ['Status', ['zombie', 'active'], ['zombie']],
  ['Subscribed', ['x', ''], ['']],
  ['OPT_IN', ['yes', 'no', ''], ['']],
  ['Confirmed email', ['2025-01-02', ''], ['']],
  ['Email disabled', ['enabled', 'false'], ['enabled']],
])('a column "%s" with %j has to be explained: %j', async (name, values, asked) => {
  const result = await read([`email,${name}`, ...numbered(values)])
  expect(result.unclear).toBe(asked.length)
  for (const value of asked) {
    expect(() => requireClear(result, 'Help.')).toThrow(
      value === '' ? 'says nothing: 1 line' : `says "${value}": 1 line`,
    )
  }
  const meanings = asked.map((value) => ({ column: 1, value, mayBeMailed: false }))
  const explained = await read([`email,${name}`, ...numbered(values)], { meanings })
  expect(explained.unclear).toBe(0)
  expect(() => requireClear(explained, 'Help.')).not.toThrow()
})

test('a column that may be about mail is used if all its values are understood', async () => {
  const { people, refused } = await read(['email,Newsletter', ...numbered(['yes', 'no'])])
  expect(people).toHaveLength(1)
  expect(refused).toHaveLength(1)
})

test('a value is explained for one column, or for each that does not say it itself', async () => {
  const lines = ['email,Subscribed,Status', ...numbered([',"zombie "', ',zombie', 'yes,left'])]
  const explain = (column?: number) =>
    read(lines, {
      meanings: [
        { column, value: '', mayBeMailed: true },
        { value: 'zombie', mayBeMailed: false },
        { value: 'left', mayBeMailed: true },
      ],
    })
  const { permissionColumns, refused, unclear } = await explain()
  const reason = 'unsubscribed'
  expect(permissionColumns.map(({ values }) => [...values.values()])).toEqual([
    [
      { value: '', count: 2, permission: { kind: 'allowed' } },
      { value: 'yes', count: 1, permission: { kind: 'allowed' } },
    ],
    [
      { value: 'zombie', count: 2, permission: { kind: 'left', reason, isStrong: true } },
      { value: 'left', count: 1, permission: { kind: 'left', reason, isStrong: false } },
    ],
  ])
  expect(refused).toHaveLength(3)
  expect(unclear).toBe(0)
  const ofAnother = await explain(2)
  expect(ofAnother.permissionColumns[0]?.values.get('')?.permission).toEqual({ kind: 'unclear' })
})

test('the owner has the last word on a chosen column, and all its dates are one value', async () => {
  const lines = ['email,When', ...numbered(['2025-01-02', '2025-01-03', ''])]
  const options = { statusColumn: 'When' }
  const { permissionColumns } = await read(lines, options)
  expect([...permissionColumns[0]!.values.values()]).toMatchObject([
    { value: '(a date)', count: 2 },
    { value: '', count: 1 },
  ])
  const meanings = [{ value: '(a date)', mayBeMailed: false }]
  expect(await read(lines, { ...options, meanings })).toMatchObject({
    people: [{ address: 'person-2@s.example' }],
    unclear: 0,
  })
})

test('a time of zeros is none, beside real ones as well', async () => {
  const times = ['0000-00-00 00:00:00', '2025-01-02 00:00:00']
  const { people } = await read(['email,unsubscribed_at', ...numbered(times)])
  expect(people).toMatchObject([{ address: 'person-0@s.example' }])
})

test('no more values are asked about than anybody can answer', async () => {
  const values = Array.from({ length: 200 }, (_, index) => `word${'x'.repeat(index)}`)
  const result = await read(['email,Status', ...numbered(values)])
  expect(() => requireClear(result, '')).toThrow('"Status": more than can be asked about')
  const silent = await read(['email,Subscribed', ...numbered([...values, ''])])
  expect(silent.unclear).toBe(201)
  expect(silent.permissionColumns[0]?.values.size).toBe(101)
  const reasons = await read(['email,Hard bounce reason', ...numbered(values)])
  expect(reasons.refused).toHaveLength(200)
  expect(() => requireClear(reasons, '')).not.toThrow()
})

test('a column that is chosen is the only one that says who may be mailed, and the others are named', async () => {
  const lines = [
    'email,mailing,status,GDPR,name',
    'ada@s.example,yes,removed,x,Ada',
    'left@s.example,no,,x,Left',
  ]
  const { people, refused, unread } = await read(lines, { statusColumn: 'mailing' })
  expect(people).toMatchObject([{ address: 'ada@s.example' }])
  expect(refused).toMatchObject([{ why: 'the column "mailing" says "no"' }])
  expect(unread).toEqual(['status', 'GDPR'])
  const none = await read(lines, { columns: { email: 0, status: 'none' } })
  expect(none.people).toHaveLength(2)
  expect(none.unread).toEqual(['mailing', 'status', 'GDPR'])
})

test('a column with another name is named if a few values tell of leaving', async () => {
  const tagged = await read([
    'email,Group,Note',
    'ada@s.example,VIP,x',
    'left@s.example,Unsubscribed,y',
  ])
  expect(tagged.unread).toEqual(['Group'])
  const companies = Array.from({ length: 30 }, (_, index) => `Company ${'x'.repeat(index)}`)
  const many = await read(['email,Company', ...numbered(['Bounce House', ...companies])])
  expect(many.unread).toEqual([])
})

test('a column that is not used is named if its name is about mail', async () => {
  const varied = await read(['email,Newsletter', ...numbered(['weekly', 'monthly'])])
  expect(varied.unread).toEqual(['Newsletter'])
  const columns = { email: 0, status: 'none' } as const
  const notChosen = await read(['email,Status', 'ada@s.example,active'], { columns })
  expect(notChosen.unread).toEqual(['Status'])
})

test('a column that is empty is not named', async () => {
  expect(await read(['email,bounced,Consent', 'ada@s.example,,'])).toMatchObject({
    unread: [],
    unclear: 0,
    permissionColumns: [],
  })
})

test('lines whose people left at different times are refused for one reason', async () => {
  const { refused } = await read([
    'email,unsubscribed_at',
    ...numbered(['2025-01-02', '2025-01-03']),
  ])
  expect(refused.map(({ why }) => why)).toEqual([
    'the column "unsubscribed_at" says "2025-01-02"',
    'the column "unsubscribed_at" says "2025-01-03"',
  ])
  expect(new Set(refused.map(({ reason }) => reason))).toEqual(
    new Set(['the column "unsubscribed_at" says that they may not be mailed']),
  )
})

test.each([
  ['2021-02-04 07:55:20 +0000', Date.UTC(2021, 1, 4, 7, 55, 20)],
  ['2021-02-04 07:55:20 +0130', Date.UTC(2021, 1, 4, 6, 25, 20)],
  ['2021-02-04T07:55:20-08:00', Date.UTC(2021, 1, 4, 15, 55, 20)],
  ['2021-02-04 07:55 UTC', Date.UTC(2021, 1, 4, 7, 55)],
  ['2021-02-04', Date.UTC(2021, 1, 4)],
])('the time %s is read', async (written, signedUpAt) => {
  const { people } = await read(['Email Address,Subscribed at', `ada@s.example,${written}`])
  expect(people).toMatchObject([{ signedUpAt }])
})

test('a date that cannot be read refuses its line, and not the file', async () => {
  const { people, refused } = await read([
    'email,created_at',
    ...numbered(['2025-01-02', '01/02/2025']),
  ])
  expect(people).toHaveLength(1)
  expect(refused).toMatchObject([
    {
      line: 3,
      why:
        '"01/02/2025" under "created_at" is not written like 2026-11-21 or 2026-11-21T09:30:00Z, ' +
        'so day and month could be mixed up',
    },
  ])
})

test.each([
  ['"Email","First Name","Tags; notes"', '"ada@s.example","Ana","x"'],
  ['Email,First Name,Tags; notes', 'ada@s.example,Ana,x; y'],
  ['email;amount, EUR', 'ada@s.example;1,50'],
  ['E-Mail;Name, first', 'ada@s.example;Ada'],
  ['Email\tNotes; more, and more', 'ada@s.example\tx;y'],
  ['"Notes; one, two\nand three";Email', '"x, y";ada@s.example'],
  ['"Notes, who, when";Email', '"x, ben@s.example, y";ada@s.example'],
  ['First, middle, last;Email', 'Ada;"ada@s.example"'],
])('the separator of %j is found', async (header, line) => {
  expect((await read([header, line])).people).toMatchObject([{ address: 'ada@s.example' }])
})

test.each([
  ['Purchase Email,Buyer Email', 0],
  ['Subscriber Email,Subscribed Time', 0],
  ['Name,E-Mail-Adresse', 1],
  ['Name;E-Mail', 1],
  ['email_disabled,Email', 1],
  ['Sender email,Contact email', 1],
  ['Email opens,Recipient', 1],
  ['Email status,Who', undefined],
])('in "%s" the column of addresses is %s', async (header, email) => {
  expect((await readImportHeader(Buffer.from(`${header}\n`))).columns.email).toBe(email)
})

test('columns of dates are not asked who may be mailed', async () => {
  const lines = ['email,subscribed_at,consented_at', 'ada@s.example,,']
  expect(await read(lines)).toMatchObject({ unclear: 0, permissionColumns: [] })
})

test('a file without a line has no columns', async () => {
  expect((await readImportHeader(Buffer.from(''))).names).toEqual([])
})

test('columns can be chosen by hand', async () => {
  const { people } = await read(['Who,When', 'ada@s.example,2025-03-04'], {
    columns: { email: 0, consentedAt: 1 },
  })
  const march = Date.UTC(2025, 2, 4)
  expect(people).toMatchObject([
    { address: 'ada@s.example', consentedAt: march, signedUpAt: march },
  ])
})

test.each([
  [
    'name\nAda\n',
    'No column has the addresses. The columns are: "name". The first line must name the columns, ' +
      'one of them "email".',
  ],
  ['', 'No column has the addresses. The columns are: none.'],
  [
    'email\nbob@s.example\n"ada@s.example\n',
    /^The file cannot be read: Quote Not Closed: .* Nothing was changed\.$/,
  ],
])('a file that is not such a table is refused: %j', async (text, why) => {
  await expect(readImport(Buffer.from(text), { now })).rejects.toThrow(why)
})

function read(lines: readonly string[], options: Omit<ImportOptions, 'now'> = {}) {
  return readImport(Buffer.from(`${lines.join('\n')}\n`), { ...options, now })
}

/** A line for each value. */
function numbered(values: readonly string[]): string[] {
  return values.map((value, index) => `person-${index}@s.example,${value}`)
}
