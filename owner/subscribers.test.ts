import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openOwnerTerminal, subscribe } from '#testing/owner-terminal.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'

test('the list shows the newest first, by state where asked', async () => {
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

test('an address is found however its letters are written, with the mail owed to it', async () => {
  const { database, owner } = await openOwnerTerminal()
  const delivery = await subscribe(database, 'Ada@example.com', 'sent')
  const { printed } = await owner('subscribers', 'find', ' ADA@Example.com ', '--json')
  expect(JSON.parse(printed)).toMatchObject({
    subscriber: { address: 'Ada@example.com', state: 'active' },
    deliveries: [{ id: delivery, state: 'sent' }],
  })
})

test('the export can be opened in a spreadsheet without running what a visitor typed', async () => {
  const { database, owner } = await openOwnerTerminal()
  await subscribe(database, '=cmd+1@example.com')
  await subscribe(database, '-2@example.com')
  await subscribe(database, "o'brien@example.com")
  const { printed } = await owner('subscribers', 'export')
  const time = '2026-01-02T03:04:05.000Z'
  expect(printed.split('\r\n')).toEqual([
    'address,state,signed_up_at,last_mailed_at,opened_at',
    `'=cmd+1@example.com,active,${time},${time},`,
    `'-2@example.com,active,${time},${time},`,
    `o'brien@example.com,active,${time},${time},`,
    '',
  ])
})

test('the export goes into a new file that only its owner may read, and over no other', async () => {
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
})

test('erasing leaves no trace of an address, in rows or in the file, but the count', async () => {
  const { database, owner, file } = await openOwnerTerminal()
  await subscribe(database, 'marker-7f3a@example.com', 'failed')
  await subscribe(database, 'other@example.com')
  expect(await owner('subscribers', 'erase', 'marker-7f3a@example.com')).toMatchObject({ code: 0 })
  const left = await database.query.selectFrom('deliveries').selectAll().execute()
  expect(left).toHaveLength(1)
  const stats = JSON.parse((await owner('stats', '--json')).printed)
  expect(stats.subscribers).toEqual({ active: 1, unsubscribed: 0, undeliverable: 0, erased: 1 })
  for (const ending of file === undefined ? [] : ['', '-wal'])
    if (existsSync(file + ending)) expect(readFileSync(file + ending).includes('marker-7f3a')).toBe(false)
})

test('who is not on the list is not found, in one sentence', async () => {
  const { owner } = await openOwnerTerminal()
  for (const verb of ['find', 'erase'])
    expect(await owner('subscribers', verb, 'nobody@example.com')).toEqual({
      code: 1,
      printed: '',
      aside: 'nobody@example.com is not on the list.\n',
    })
})
