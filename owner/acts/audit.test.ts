import { expect, test } from 'vitest'
import { openOwnerTerminal, subscribe } from '#rigs/owner/owner-terminal.ts'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { readAudit, recordAction } from './audit.ts'
import { deleteExpired } from '#owner/access/sign-in/sessions.ts'

const hourMs = 60 * 60_000

test('the audit keeps numbers and names and no addresses, lists the newest first, and forgets after three years', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  await recordAction(database, { at: 1, action: 'Erased a person', about: '7' })
  await recordAction(database, { at: 2, action: 'Imported people', about: 'March_News-2.1' })
  for (const about of ['ada@example.com', '7 ada', 'ada 7', '']) {
    await recordAction(database, { at: 3, action: 'Acted', about })
  }
  const acted = { at: 3, action: 'Acted', about: '' }
  const imported = { at: 2, action: 'Imported people', about: 'March_News-2.1' }
  const erased = { at: 1, action: 'Erased a person', about: '7' }
  expect(await readAudit(database)).toEqual([acted, acted, acted, acted, imported, erased])
  expect(await readAudit(database, 7)).toEqual([erased])
  await deleteExpired(database, 2 + 3 * 366 * 24 * hourMs)
  expect(await readAudit(database)).toEqual([acted, acted, acted, acted, imported])
})

test('an act on the command line is in the audit, in the words of the desk', async () => {
  const { database, owner } = await openOwnerTerminal()
  const mail = await subscribe(database, 'ada@example.com', 'failed')
  await owner('deliveries', 'retry', String(mail))
  await owner('subscribers', 'export')
  await owner('subscribers', 'erase', 'ada@example.com')
  expect(await readAudit(database)).toMatchObject([
    { action: 'Erased a person' },
    { action: 'Exported people' },
    { action: 'Retried mail', about: String(mail) },
  ])
})
