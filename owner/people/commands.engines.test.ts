import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { composeMail } from '#site/mail/compose-mail.ts'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { ownerNow } from '#rigs/owner/owner-commands.ts'
import { openOwnerTerminal, subscribe } from '#rigs/owner/owner-terminal.ts'
import { addPeople, addresses } from '#rigs/server/people.ts'
import { sender, shortTemplate } from '#rigs/server/queue-mails.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { parseEmailAddress } from '#contract/email-address.ts'
import { readDailyCounts } from '#server/statistics/daily-counts.ts'
import { openLocalInbox } from '#server/transports/open-mailer.ts'
import {
  addArrival,
  findBySubscriber,
  openTestAddress,
} from '#server/test-address/test-addresses.ts'
import { findByAddress, findPeople } from './list-subscribers.ts'

test('an export selects people by the time of their sign-up', async () => {
  const { database, owner } = await openOwnerTerminal()
  for (const time of ['19T23:59:59.999', '20T00:00', '21T09:30', '22T00:00']) {
    const address = `${time.slice(0, 2)}@example.com`
    await subscribe(database, address)
    const signedUpAt = Date.parse(`2026-11-${time}Z`)
    await database.transaction((transaction) =>
      transaction.run(
        sql`update subscribers set signed_up_at = ${signedUpAt} where address = ${address}`,
      ),
    )
  }
  const days = async (...words: string[]) => {
    const { printed } = await owner('subscribers', 'export', ...words)
    return [...printed.matchAll(/^(\d\d)@/gm)].map(([, day]) => day)
  }
  expect(await days('--since', '2026-11-20')).toEqual(['20', '21', '22'])
  expect(await days('--until', '2026-11-21')).toEqual(['19', '20', '21'])
  expect(await days('--since', '2026-11-20', '--until', '2026-11-20')).toEqual(['20'])
  expect(await days('--until', '2026-11-21T09:30Z')).toEqual(['19', '20'])
  expect(await days('--since', '2026-11-21T09:30:00.000')).toEqual(['21', '22'])
})

test.each(['yesterday', '2026-02-30', '2026-13-01', '21.11.2026', '2026-11-21T24:01Z'])(
  '"%s" is refused as a date, and no file is created',
  async (typed) => {
    const { owner } = await openOwnerTerminal()
    const file = join(temporaryFolder(), 'list.csv')
    expect(await owner('subscribers', 'export', file, '--since', typed)).toEqual({
      code: 2,
      printed: '',
      aside: expect.stringContaining(
        `'${typed}' is invalid. It must be a day like 2026-11-21 or a time like`,
      ),
    })
    expect(existsSync(file)).toBe(false)
  },
)

test('--all of an export goes with a tool alone', async () => {
  const { owner } = await openOwnerTerminal()
  const { code, aside } = await owner('subscribers', 'export', '--all')
  expect({ code, aside }).toEqual({
    code: 2,
    aside: expect.stringContaining('--all goes with --for; others are exported without it.'),
  })
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

test('somebody is shown with a line for each thing that is stored, and a table of their mail', async () => {
  const { database, owner } = await openOwnerTerminal()
  const delivery = await subscribe(database, 'ada@example.com', 'failed')
  await addPeople(database, ['bob@example.com'])
  const find = async (address: string) => (await owner('subscribers', 'find', address)).printed
  expect(await find('ada@example.com')).toMatch(
    new RegExp(
      `\\naddress +ada@example\\.com\\n[^]*\\n\\nid +state +queued_at +finished_at +last_fault\\n *${delivery} +failed .* smtp 550 5\\.1\\.1 to RCPT TO\\n$`,
    ),
  )
  expect(await find('bob@example.com')).toMatch(
    /\naddress +bob@example\.com\n[^]*\n\nNo deliveries\.\n$/,
  )
})

test('what is stored of somebody has what came to their test address, without its key', async () => {
  const { database, owner } = await openOwnerTerminal()
  await subscribe(database, 'ada@example.com', 'sent')
  const find = (...more: string[]) => owner('subscribers', 'find', 'ada@example.com', ...more)
  const never = { reached: null, ends_at: null, arrivals: [] }
  expect(JSON.parse((await find('--json')).printed)).toMatchObject({ first_alert: never })
  const { id } = await findByAddress(database, parseEmailAddress('ada@example.com')!)
  const key = await database.transaction(async (transaction) => {
    await openTestAddress(transaction, id, ownerNow)
    const open = await findBySubscriber(transaction, id, ownerNow)
    const arrival = { contentType: 'text/plain', fromTradingView: true, verdict: 'Fine.' }
    await addArrival(transaction, open!, { ...arrival, message: 'hello', order: 'entry' }, ownerNow)
    return open!.key
  })
  const { printed } = await find('--json')
  expect(JSON.parse(printed)).toMatchObject({
    first_alert: {
      reached: 'entry',
      ends_at: ownerNow + 24 * 60 * 60_000,
      arrivals: [{ contentType: 'text/plain', message: 'hello', verdict: 'Fine.' }],
    },
  })
  expect(printed).not.toContain(key)
  expect((await find()).printed).toMatch(/first_alert +entry[^]*text\/plain +hello/)
})

test('erasing removes person and deliveries, and keeps the count', async () => {
  const { database, owner } = await openOwnerTerminal()
  for (const address of ['Ada@example.com', 'bob@example.com']) {
    await subscribe(database, address, 'sent')
  }
  const overwritten = testsRunOnPostgres
    ? 'Old copies in the files are overwritten as the database is used. '
    : ''
  const { code, printed } = await owner('subscribers', 'erase', 'ADA@example.com')
  expect({ code, printed }).toEqual({
    code: 0,
    printed: `Erased. ${overwritten}Earlier backups still hold the address.\n`,
  })
  expect(await database.rows(sql`select address from subscribers`)).toEqual([
    { address: 'bob@example.com' },
  ])
  expect(await database.rows(sql`select id from deliveries`)).toHaveLength(1)
  expect(
    (await readDailyCounts(database, '')).filter(({ event }) => event === 'erased'),
  ).toHaveLength(1)
  expect((await owner('subscribers', 'erase', 'ada@example.com')).aside).toBe(
    'ada@example.com is not on the list.\n',
  )
})

test.skipIf(testsRunOnPostgres)(
  'erasing also removes the local mail, which lies beside the file',
  async () => {
    const { database, owner, url, file = '' } = await openOwnerTerminal()
    const inbox = await openLocalInbox({ databaseUrl: url })
    for (const to of ['Ada@example.com', 'bob@example.com']) {
      await subscribe(database, to, 'sent')
      const delivery = { address: to, token: 't', messageId: '<1@b.co>', date: new Date(0) }
      await inbox.send(composeMail(shortTemplate, sender, delivery))
    }
    await owner('subscribers', 'erase', 'ADA@example.com')
    expect(readdirSync(join(dirname(file), 'inbox'))).toHaveLength(1)
  },
)

test('a search finds parts of addresses, the latest sign-up first, page by page', async () => {
  const { database } = await openOwnerTerminal()
  const many = addresses(60, 'visitor-')
  for (const address of [...many, 'Ada_b@example.org']) await subscribe(database, address)
  await database.transaction((transaction) =>
    transaction.run(
      sql`update subscribers set signed_up_at = ${ownerNow + 1} where identity = 'visitor-7@example.com'`,
    ),
  )
  const first = await findPeople(database, { text: 'VISITOR' })
  expect(first.people.map(({ address }) => address).slice(0, 2)).toEqual([
    'visitor-7@example.com',
    'visitor-59@example.com',
  ])
  const second = await findPeople(database, { text: 'visitor' }, first.last)
  expect(second.people.map(({ address }) => address)).toEqual(
    Array.from(
      { length: 10 },
      (_, index) => `visitor-${[10, 9, 8, 6, 5, 4, 3, 2, 1, 0][index]}@example.com`,
    ),
  )
  expect(second.last).toBeNull()
  expect((await findPeople(database, { text: 'a_b' })).people).toMatchObject([
    {
      address: 'Ada_b@example.org',
      state: 'active',
      announcements_agreed_at: null,
      mail: 'queued',
    },
  ])
})

test('an export goes into a new file that only the owner reads, and never over another', async () => {
  const { database, owner } = await openOwnerTerminal()
  await subscribe(database, 'ada@example.com')
  const folder = temporaryFolder()
  const file = join(folder, 'list.csv')
  const { code, aside } = await owner('subscribers', 'export', file)
  expect({ code, aside }).toEqual({ code: 0, aside: `1 subscriber written to ${file}\n` })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const whole = readFileSync(file, 'utf8')
  expect((await owner('subscribers', 'export', file)).code).toBe(1)
  expect(readdirSync(folder)).toEqual(['list.csv'])
  expect(readFileSync(file, 'utf8')).toBe(whole)
})

test('an export follows no link that somebody put in the way of it', async () => {
  const { database, owner } = await openOwnerTerminal()
  await subscribe(database, 'ada@example.com')
  const folder = temporaryFolder()
  const theirs = join(folder, 'theirs')
  symlinkSync(theirs, join(folder, 'list.csv.unfinished'))
  symlinkSync(theirs, join(folder, 'linked.csv'))
  expect(await owner('subscribers', 'export', join(folder, 'list.csv'))).toMatchObject({ code: 0 })
  expect(await owner('subscribers', 'export', join(folder, 'linked.csv'))).toMatchObject({
    code: 1,
  })
  expect(existsSync(theirs)).toBe(false)
})

test('the help says what finding and erasing somebody does, with an example', async () => {
  const { owner } = await openOwnerTerminal()
  const help = async (...words: string[]) =>
    (await owner('subscribers', ...words, '--help')).printed.replaceAll(/\s+/g, ' ')
  expect(await help()).toContain('The people on the list')
  for (const one of [
    'find [options] <ADDRESS>',
    'Show one subscriber, every delivery to them, and what came to their test address',
    'subscribers find ada@example.com',
  ]) {
    expect(await help('find')).toContain(one)
  }
  for (const one of [
    'erase [options] <ADDRESS>',
    'Erase a person, their deliveries, and their mail in the local inbox',
    'subscribers erase ada@example.com',
  ]) {
    expect(await help('erase')).toContain(one)
  }
})
