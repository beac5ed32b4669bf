import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openOwnerTerminal, subscribe } from '#testing/owner-terminal.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'

test('bounced addresses get no more mail, whether they come as lines or as CSV', async () => {
  const { database, owner } = await openOwnerTerminal()
  for (const name of ['plain', 'Quoted', "o'brien", 'angle', 'fine'])
    await subscribe(database, `${name}@example.com`)
  await subscribe(database, 'sent@example.com', 'sent')
  const file = join(temporaryFolder(), 'bounces.csv')
  const lines = [
    '\uFEFFplain@example.com',
    'recipient,reason',
    '"quoted@Example.com","550, no such user"',
    "o'brien@example.com;5.1.1",
    'Final-Recipient: <angle@example.com>',
    'sent@example.com,bounced',
    'stranger@example.com',
    'plain@example.com',
  ]
  writeFileSync(file, lines.join('\r\n'))
  expect((await owner('bounces', 'import', file)).printed).toBe(
    '6 addresses read, 5 marked as undeliverable, 4 waiting mails cancelled.\n',
  )
  const active = await database.query
    .selectFrom('subscribers')
    .select('address')
    .where('state', '=', 'active')
    .execute()
  expect(active).toEqual([{ address: 'fine@example.com' }])
  const waiting = await database.query
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', 'queued')
    .execute()
  expect(waiting).toHaveLength(1)
})

test('a file that is not there is named in one sentence', async () => {
  const { owner } = await openOwnerTerminal()
  expect(await owner('bounces', 'import', '/nowhere/b.csv')).toMatchObject({
    code: 1,
    aside: 'There is no file /nowhere/b.csv.\n',
  })
})
