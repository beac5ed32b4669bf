import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { openOwnerTerminal, subscribe } from '#rigs/owner/owner-terminal.ts'
import { addresses } from '#rigs/server/people.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

test('the people in a table come off the list, each with its reason, and get no more mail', async () => {
  const { database, owner } = await openOwnerTerminal()
  for (const name of ['gone', "o'brien", 'angry', 'left', 'fine', 'soft']) {
    await subscribe(database, `${name}@example.com`)
  }
  await subscribe(database, 'sent@example.com', 'sent')
  const file = fileOf([
    '\uFEFFrecipient,reason',
    '"Gone@Example.com","550, no such user"',
    "Final-Recipient: <o'brien@example.com>,5.1.1",
    'angry@example.com,spam complaint',
    'left@example.com,unsubscribed',
    'sent@example.com,invalid',
    'soft@example.com,soft bounce',
    'stranger@example.com,invalid',
    'gone@example.com,invalid',
  ])
  const unchanged =
    '1 left unchanged: the file does not say that their mailbox is gone, or that they left.\n'
  expect((await owner('subscribers', 'suppress', file, '--dry-run')).printed).toBe(
    'Nothing was changed. 8 addresses read. Would be taken off the list: 3 undeliverable, 1 unsubscribed, 1 blocked.\n' +
      unchanged,
  )
  expect(await database.rows(sql`select id from subscribers where state <> 'active'`)).toEqual([])
  expect((await owner('subscribers', 'suppress', file)).printed).toBe(
    '8 addresses read. Taken off the list: 3 undeliverable, 1 unsubscribed, 1 blocked.\n' +
      unchanged,
  )
  expect(await statesOn(database)).toEqual({
    'gone@example.com': 'undeliverable',
    "o'brien@example.com": 'undeliverable',
    'angry@example.com': 'blocked',
    'left@example.com': 'unsubscribed',
    'fine@example.com': 'active',
    'soft@example.com': 'active',
    'sent@example.com': 'undeliverable',
  })
  expect(await database.rows(sql`select id from deliveries where state = 'queued'`)).toHaveLength(2)
})

test('the sender and the support address are never taken off', async () => {
  const { database, owner } = await openOwnerTerminal({
    MAIL_FROM: 'Bot <Bot@example.com>',
    SUPPORT_EMAIL: 'help@example.com',
  })
  for (const name of ['gone', 'bot', 'help']) await subscribe(database, `${name}@example.com`)
  const file = fileOf(['email', 'bot@example.com', 'to HELP@example.com: gone@example.com'])
  await owner('subscribers', 'suppress', file)
  expect(await statesOn(database)).toEqual({
    'gone@example.com': 'unsubscribed',
    'bot@example.com': 'active',
    'help@example.com': 'active',
  })
})

test('a long table is read whole, and --reason holds for all of it', async () => {
  const { database, owner } = await openOwnerTerminal()
  for (const name of ['first', 'last']) await subscribe(database, `${name}@example.com`)
  const strangers = addresses(1_200)
  const file = fileOf(['email', 'first@example.com', ...strangers, 'last@example.com'])
  expect((await owner('subscribers', 'suppress', file, '--reason', 'complaint')).printed).toBe(
    '1,202 addresses read. Taken off the list: 0 undeliverable, 0 unsubscribed, 2 blocked.\n',
  )
  expect(await owner('subscribers', 'suppress', file, '--reason', 'nonsense')).toMatchObject({
    code: 2,
  })
})

test('a quote that is never closed is an error that names its line', async () => {
  const { owner } = await openOwnerTerminal()
  const rows = ['email,reason', 'gone@example.com,unknown', 'kept@example.com,"full']
  for (const more of [[], Array.from({ length: 5_000 }, () => 'a line, and more of it')]) {
    const { code, aside } = await owner('subscribers', 'suppress', fileOf([...rows, ...more]))
    expect([code, aside]).toEqual([
      1,
      expect.stringMatching(/^The file cannot be read: .* line \d+/),
    ])
  }
})

test('a missing file or folder is reported in one sentence', async () => {
  const { owner } = await openOwnerTerminal()
  for (const words of [
    'subscribers suppress /nowhere/b.csv',
    'subscribers export /nowhere/b.csv',
  ]) {
    expect((await owner(...words.split(' '))).aside).toMatch(
      /^It failed: ENOENT: no such file or directory, open '\/nowhere\/b\.csv.*'\.\n$/,
    )
  }
})

function fileOf(lines: readonly string[]): string {
  const file = join(temporaryFolder(), 'left.csv')
  writeFileSync(file, lines.join('\r\n'))
  return file
}

async function statesOn(database: Database): Promise<Record<string, string>> {
  const rows = await database.rows<{ address: string; state: string }>(
    sql`select address, state from subscribers`,
  )
  return Object.fromEntries(rows.map(({ address, state }) => [address, state]))
}

test('the help says what the command does, with each option and an example', async () => {
  const { owner } = await openOwnerTerminal()
  const { printed } = await owner('subscribers', 'suppress', '--help')
  const words = printed.replaceAll(/\s+/g, ' ')
  for (const one of [
    'subscribers suppress [options] <FILE>',
    'Take the people in a CSV file off the list, each with its reason, and cancel their mail',
    'Its first line names the columns, one of them email or recipient',
    '--dry-run Say what would happen, and change nothing',
    '--address-column <NAME> The column of addresses',
    '--reason <REASON> Of all of them, whatever the file says',
    'subscribers suppress data/bounces.csv',
  ]) {
    expect(words).toContain(one)
  }
})
