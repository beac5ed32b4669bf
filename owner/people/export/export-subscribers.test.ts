import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { brand } from '#content/brand.ts'
import { ownerNow } from '#rigs/owner/owner-commands.ts'
import { openOwnerTerminal, subscribe } from '#rigs/owner/owner-terminal.ts'
import { addPeople, addresses } from '#rigs/server/people.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { countExported, exportSubscribers } from './export-subscribers.ts'
import { type Tool, tools } from './tool-names.ts'

const time = '2026-01-02T03:04:05.000Z' // ownerNow
const tags = `${brand.name}, news_letter`

/** The record of a subscriber, with the columns of the example in each tool's guide. */
const documented: Record<Tool, Record<string, string>> = {
  // "A column for your subscribers' Tags, with each Tag separated by a comma", "header rows for
  // each column"
  kit: { email: 'ada@example.com', tags },
  // "The only field Mailchimp requires is email address": its own exports call it so
  mailchimp: { 'Email Address': 'ada@example.com', Tags: tags },
  // "four different columns. They represent the fields for Email, Name, Company, and Country"
  mailerlite: { Email: 'ada@example.com' },
  // "standard column names (like email, name, tags)"
  buttondown: { email: 'ada@example.com', tags },
  // email,name,attributes
  // user1@mail.com,"User One","{""age"": 42, ""planet"": ""Mars""}"
  listmonk: {
    email: 'ada@example.com',
    name: '',
    attributes: `{"signed_up_at":"${time}","form":"hero","campaign":"news_letter","language":null}`,
  },
  // "Labels need to be in quotes and comma separated", "Date format ISO 8601:
  // 2019-10-30T14:52:08.000Z"
  ghost: {
    email: 'ada@example.com',
    name: '',
    note: '',
    subscribed_to_emails: 'true',
    stripe_customer_id: '',
    complimentary_plan: 'false',
    labels: tags,
    created_at: time,
  },
  // "the header fields use the same names as the subscriber tags and custom fields"
  beehiiv: { email: 'ada@example.com', signed_up_at: time, campaign: 'news_letter' },
}

test.each(tools)(
  'an export for %s has the documented columns, and the others with --all only',
  async (tool) => {
    const { database, owner } = await openOwnerTerminal()
    await addPeople(database, ['ada@example.com'], {
      at: ownerNow,
      form: 'hero',
      campaign: 'news_letter',
    })
    await addPeople(database, ['bob@example.com'], { at: ownerNow, campaign: 'none' })
    await database.transaction((transaction) =>
      transaction.run(
        sql`update subscribers set announcements_agreed_at = ${ownerNow} where identity = 'ada@example.com'`,
      ),
    )
    const { code, printed } = await owner('subscribers', 'export', '--for', tool)
    expect(code).toBe(0)
    expect(parse(printed, { columns: true })).toEqual([documented[tool]])
    const { printed: all } = await owner('subscribers', 'export', '--for', tool, '--all')
    const records: Record<string, string>[] = parse(all, { columns: true })
    expect(records.map((one) => Object.values(one)[0])).toEqual([
      'ada@example.com',
      'bob@example.com',
    ])
    if (tool === 'ghost') {
      expect(records[1]).toMatchObject({ subscribed_to_emails: 'false', labels: brand.name })
    }
  },
)

test.each([
  [['--for', 'outlook'], 'Allowed choices are kit, mailchimp'],
  [['--for', 'kit', '--json'], "cannot be used with option '--json'"],
  [['--all'], '--all goes with --for'],
])('export %j is a usage error', async (words, why) => {
  const { owner } = await openOwnerTerminal()
  const { code, printed, aside } = await owner('subscribers', 'export', ...words)
  expect({ code, printed }).toEqual({ code: 2, printed: '' })
  expect(aside).toContain(why)
})

test('an export holds no field that a spreadsheet runs as a formula', async () => {
  const { database, owner } = await openOwnerTerminal()
  for (const address of ['=cmd+1@example.com', '-2@example.com', "o'brien@example.com"]) {
    await subscribe(database, address)
  }
  const { printed } = await owner('subscribers', 'export')
  expect(printed.split('\r\n')).toEqual([
    'email,state,signed_up_at,last_mailed_at,left_at,form,campaign,language,wording,announcements_agreed_at,announcements_wording',
    `'=cmd+1@example.com,active,${time},${time},,,,,,,`,
    `'-2@example.com,active,${time},${time},,,,,,,`,
    `o'brien@example.com,active,${time},${time},,,,,,,`,
    '',
  ])
})

test('an export for a tool has a column with the state only if a state is named', async () => {
  const { database, owner } = await openOwnerTerminal()
  await subscribe(database, 'gone@example.com', 'failed')
  const exported = async (...words: string[]) => {
    const { printed } = await owner('subscribers', 'export', '--for', 'kit', '--all', ...words)
    return parse(printed, { columns: true })
  }
  expect(await exported()).toEqual([])
  expect(await exported('--state', 'undeliverable')).toEqual([
    { email: 'gone@example.com', tags: brand.name, state: 'undeliverable' },
  ])
})

test.each(['undeliverable', 'all'])(
  'an export for a tool of the state %s has people who left, and does not ask for a consent that ended',
  async (state) => {
    const { database, owner } = await openOwnerTerminal()
    await subscribe(database, 'gone@example.com', 'failed')
    await subscribe(database, 'never-asked@example.com', 'sent')
    const words = ['--for', 'mailerlite', '--state', state]
    const { printed } = await owner('subscribers', 'export', ...words)
    expect(printed).toBe('Email,state\r\ngone@example.com,undeliverable\r\n')
  },
)

test('the number that is announced is the number in the file', async () => {
  const { database } = await openOwnerTerminal()
  await subscribe(database, 'ada@example.com', 'sent')
  await subscribe(database, 'gone@example.com', 'failed')
  for (const state of [undefined, 'undeliverable', 'all'] as const) {
    const order = { state, format: 'csv' } as const
    const pages = await Array.fromAsync(exportSubscribers(database, order))
    const rows = pages.reduce((sum, page) => sum + page.rows, 0)
    expect(await countExported(database, order), state).toBe(rows)
    expect(rows).toBe(state === 'all' ? 2 : 1)
  }
})

test('an export holds active subscribers only, unless --state says otherwise', async () => {
  const { database, owner } = await openOwnerTerminal()
  await subscribe(database, 'active@example.com', 'sent')
  await subscribe(database, 'undeliverable@example.com', 'failed')
  const exported = async (...words: string[]) => {
    const { printed } = await owner('subscribers', 'export', ...words)
    return [...printed.matchAll(/^(\w+)@/gm)].map(([, name]) => name)
  }
  expect(await exported()).toEqual(['active'])
  expect(await exported('--state', 'undeliverable')).toEqual(['undeliverable'])
  expect(await exported('--state', 'all')).toEqual(['active', 'undeliverable'])
})

test('a long export has everybody once, and is JSON of one object a line if asked', async () => {
  const { database, owner } = await openOwnerTerminal()
  const many = addresses(4_001)
  await addPeople(database, many)
  const { printed } = await owner('subscribers', 'export', '--json')
  const lines = printed.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).address)).toEqual(many)
})

test('a database that fails in the middle of an export is reported, and no file is left that looks whole', async () => {
  const { database, owner, url } = await openOwnerTerminal()
  await addPeople(database, addresses(2_500))
  // The columns of a view are computed when its rows are read: the one of a late row fails.
  const late = url.startsWith('file:') ? 'json(address)' : 'cast(cast(address as json) as text)'
  const columns =
    'id, identity, abuse_key, token, state, signed_up_at, left_at, form, campaign, language, wording, announcements_agreed_at, announcements_refused_at, announcements_wording'
  await database.script(`alter table subscribers rename to kept;
    create view subscribers as select ${columns}, case when id > 2200 then ${late} else address end as address from kept`)
  const folder = temporaryFolder()
  const file = join(folder, 'list.csv')
  const { code, aside } = await owner('subscribers', 'export', file)
  expect({ code, aside }).toEqual({
    code: 1,
    aside: expect.stringMatching(/^The database reports an error: /),
  })
  expect(readdirSync(folder)).toEqual([])
  expect(await owner('subscribers', 'export')).toMatchObject({ code: 1 })
})

test('the help says what the command does, with each option and an example', async () => {
  const { owner } = await openOwnerTerminal()
  const { printed } = await owner('subscribers', 'export', '--help')
  const words = printed.replaceAll(/\s+/g, ' ')
  for (const one of [
    'Write the active subscribers as CSV that is safe to open in a spreadsheet, or as JSON lines',
    'A new file. Without it the result is printed',
    '--state <STATE> Those in this state, active by default',
    '--since <DATE> Only from this day or time on, in UTC: 2026-11-21, 2026-11-21T09:30Z',
    '--until <DATE> Only up to the end of this day, or up to this time',
    '--for <TOOL> Those who asked for news, in the columns of this tool',
    '--all With --for: also those who did not ask',
    'subscribers export data/subscribers.csv',
  ]) {
    expect(words).toContain(one)
  }
})
