import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openLocalInbox } from '#server/transports/open-mailer.ts'
import { dayOf, readDailyCounts } from '#server/statistics/daily-counts.ts'
import { enrol } from '#server/subscribers/subscribers.ts'
import { openOwnerTerminal, ownerNow, subscribe } from '#rigs/owner/owner-terminal.ts'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

test('the list shows the newest first, and only one state if asked', async () => {
  const { database, owner } = await openOwnerTerminal()
  await subscribe(database, 'bounced@example.com', 'failed')
  await subscribe(database, 'Ada@example.com', 'sent')
  const { code, printed } = await owner('subscribers', 'list')
  expect(code).toBe(0)
  expect(printed.split('\n').map((line) => line.split(/ {2,}/)[0])).toEqual([
    'address',
    'Ada@example.com',
    'bounced@example.com',
    '',
  ])
  const undeliverable = await owner('subscribers', 'list', '--state', 'undeliverable', '--json')
  expect(JSON.parse(undeliverable.printed)).toMatchObject([{ address: 'bounced@example.com' }])
})

test('the list is shown page by page, and each page says how to get the next', async () => {
  const { database, owner } = await openOwnerTerminal()
  for (const name of ['ada', 'bob', 'cyd', 'dan', 'eve']) await subscribe(database, `${name}@example.com`)
  const page = async (...more: string[]) => {
    const { printed, aside } = await owner('subscribers', 'list', '--limit', '2', '--json', ...more)
    const names = JSON.parse(printed).map(({ address }: { address: string }) => address.slice(0, 3))
    return [names, aside]
  }
  expect(await page()).toEqual([['eve', 'dan'], 'There are more. Add --after 4\n'])
  expect(await page('--after', '4')).toEqual([['cyd', 'bob'], 'There are more. Add --after 2\n'])
  expect(await page('--after', '2')).toEqual([['ada'], ''])
})

test('list and export select people by the time of their sign-up', async () => {
  const { database, owner } = await openOwnerTerminal()
  const signedUpAt = [
    '2026-11-19T23:59:59.999Z',
    '2026-11-20T00:00Z',
    '2026-11-21T09:30Z',
    '2026-11-22T00:00Z',
  ]
  for (const time of signedUpAt) {
    await subscribe(database, `${time.slice(8, 10)}@example.com`)
    await database.query
      .updateTable('subscribers')
      .set({ signed_up_at: Date.parse(time) })
      .where('identity', '=', `${time.slice(8, 10)}@example.com`)
      .execute()
  }
  const days = async (...words: string[]) => {
    const [listed, exported] = [await owner('subscribers', 'list', ...words), await exportAs(...words)]
    const of = (text: string) => [...text.matchAll(/^(\d\d)@/gm)].map(([, day]) => day)
    expect(of(listed.printed)).toEqual(of(exported.printed).toReversed())
    return of(exported.printed)
  }
  const exportAs = (...words: string[]) => owner('subscribers', 'export', ...words)
  expect(await days('--since', '2026-11-20')).toEqual(['20', '21', '22'])
  expect(await days('--until', '2026-11-21')).toEqual(['19', '20', '21'])
  expect(await days('--since', '2026-11-20', '--until', '2026-11-20')).toEqual(['20'])
  expect(await days('--until', '2026-11-21T09:30Z')).toEqual(['19', '20'])
  expect(await days('--since', '2026-11-21T09:30:00.000')).toEqual(['21', '22'])
})

test.each([
  'yesterday',
  '2026-02-30',
  '2026-13-01',
  '21.11.2026',
  '2026-11-21T09:30+01:00',
  '2026-11-21T24:01Z',
])('"%s" is refused as a date, and no file is created', async (typed) => {
  const { owner } = await openOwnerTerminal()
  const file = join(temporaryFolder(), 'list.csv')
  expect(await owner('subscribers', 'export', file, '--since', typed)).toEqual({
    code: 2,
    printed: '',
    aside: expect.stringContaining(`'${typed}' is invalid. It must be a day like 2026-11-21 or a time like`),
  })
  expect(existsSync(file)).toBe(false)
})

test('an address is found in upper or lower case, with its deliveries', async () => {
  const { database, owner } = await openOwnerTerminal()
  const delivery = await subscribe(database, 'Ada@example.com', 'sent')
  const { printed } = await owner('subscribers', 'find', ' ADA@Example.com ', '--json')
  expect(JSON.parse(printed)).toMatchObject({
    subscriber: { address: 'Ada@example.com', state: 'active' },
    deliveries: [{ id: delivery, state: 'sent' }],
  })
})

test('the export holds no field that a spreadsheet runs as a formula', async () => {
  const { database, owner } = await openOwnerTerminal()
  await subscribe(database, '=cmd+1@example.com')
  await subscribe(database, '-2@example.com')
  await subscribe(database, "o'brien@example.com")
  const { printed } = await owner('subscribers', 'export')
  const time = '2026-01-02T03:04:05.000Z'
  expect(printed.split('\r\n')).toEqual([
    'email,state,signed_up_at,last_mailed_at,opened_at,form,campaign,language,wording,announcements_agreed_at,announcements_wording',
    `'=cmd+1@example.com,active,${time},${time},,,,,,,`,
    `'-2@example.com,active,${time},${time},,,,,,,`,
    `o'brien@example.com,active,${time},${time},,,,,,,`,
    '',
  ])
})

test('the export holds active subscribers only, unless --state says otherwise', async () => {
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

test('the export reads more than one page, and writes JSON one object a line', async () => {
  const { database, owner } = await openOwnerTerminal()
  const many = Array.from({ length: 2_001 }, (_, index) => `visitor-${index}@example.com`)
  await enrol(
    database.query,
    many.map((email) => ({ identity: email, address: email, abuse_key: null })),
    ownerNow,
  )
  const { printed } = await owner('subscribers', 'export', '--json')
  const lines = printed.trimEnd().split('\n')
  expect(new Set(lines.map((line) => JSON.parse(line).address))).toEqual(new Set(many))
  expect(JSON.parse(lines[0]!)).toEqual({
    id: 1,
    address: expect.any(String),
    state: 'active',
    opened_at: null,
    signed_up_at: ownerNow,
    last_mailed_at: ownerNow,
    form: null,
    campaign: null,
    language: null,
    wording: null,
    announcements_agreed_at: null,
    announcements_wording: null,
  })
  const none = await owner('subscribers', 'export', '--state', 'unsubscribed')
  expect(none.printed.trimEnd().split('\r\n')).toHaveLength(1)
})

test('the export creates a file that only its owner can read, and never overwrites one', async () => {
  const { database, owner } = await openOwnerTerminal()
  await subscribe(database, 'ada@example.com')
  const file = join(temporaryFolder(), 'list.csv')
  expect(await owner('subscribers', 'export', file)).toMatchObject({ code: 0, printed: '' })
  expect(readFileSync(file, 'utf8')).toContain('ada@example.com')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await owner('subscribers', 'export', file)).toMatchObject({
    code: 1,
    aside: `${file} exists already; nothing was changed.\n`,
  })
  expect(readFileSync(file, 'utf8')).toContain('ada@example.com')
})

test('a partial export is removed', async () => {
  const { database, owner } = await openOwnerTerminal()
  await subscribe(database, 'ada@example.com')
  const file = join(temporaryFolder(), 'list.csv')
  // The export has created the file when this time turns out to be invalid.
  await database.query.updateTable('subscribers').set({ last_mailed_at: 9e15 }).execute()
  expect(await owner('subscribers', 'export', file)).toMatchObject({ code: 1, printed: '' })
  expect(existsSync(file)).toBe(false)
})

test('erasing leaves no trace of an address in rows or files, only the count', async () => {
  const { database, owner, file } = await openOwnerTerminal()
  await subscribe(database, 'marker-7f3a@example.com', 'failed')
  await subscribe(database, 'other@example.com')
  expect(await owner('subscribers', 'erase', 'marker-7f3a@example.com')).toMatchObject({ code: 0 })
  const left = await database.query.selectFrom('deliveries').selectAll().execute()
  expect(left).toHaveLength(1)
  const stats = JSON.parse((await owner('stats', '--json')).printed)
  expect(stats.subscribers).toEqual({ active: 1, unsubscribed: 0, undeliverable: 0, erased: 1 })
  expect(await readDailyCounts(database.query, '')).toEqual([
    { day: dayOf(ownerNow), event: 'erased', detail: '', count: 1 },
  ])
  for (const ending of file === undefined ? [] : ['', '-wal'])
    if (existsSync(file + ending)) expect(readFileSync(file + ending).includes('marker-7f3a')).toBe(false)
})

test.skipIf(testsRunOnPostgres)(
  'erasing says that traces remain while another process still reads them',
  async () => {
    const { database, owner, file = '' } = await openOwnerTerminal()
    await subscribe(database, 'ada@example.com')
    const reader = new DatabaseSync(file, { readOnly: true })
    reader.exec('begin; select count(*) from subscribers')
    const { code, printed } = await owner('subscribers', 'erase', 'ada@example.com')
    reader.close()
    expect(code).toBe(0)
    expect(printed).toMatch(/^Erased\. The last traces .* within the hour\. Backups made before/)
  },
)

test.skipIf(testsRunOnPostgres)('erasing removes the mails of the local inbox as well', async () => {
  const { database, owner, url } = await openOwnerTerminal()
  const inbox = await openLocalInbox({ databaseUrl: url })
  const mail = { from: 'bot@example.com', to: 'Ada@example.com', subject: 's', text: 't' }
  await inbox.send({ ...mail, messageId: '<1@example.com>', date: new Date(), headers: {} })
  await subscribe(database, 'Ada@example.com', 'sent')
  await owner('subscribers', 'erase', 'ada@example.com')
  expect((await inbox.answer('/dev/inbox'))?.body).toContain('No mail yet')
})

test('an unknown address is reported in one sentence', async () => {
  const { owner } = await openOwnerTerminal()
  for (const verb of ['find', 'erase'])
    expect(await owner('subscribers', verb, 'nobody@example.com')).toEqual({
      code: 1,
      printed: '',
      aside: 'nobody@example.com is not on the list.\n',
    })
})
