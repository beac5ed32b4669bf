import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { isVersionToTell } from './list-mailings.ts'

const releases = [
  { version: '1.1.0', date: '2999-01-01', changes: [] },
  { version: '1.0.0', date: '2026-11-21', changes: [] },
]

test('a version is there to tell about while somebody had another one in their mail', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  const isToTell = () => isVersionToTell(database, releases)
  expect(await isToTell()).toBe(false)
  await queueMails(database, ['ada@example.com'])
  const setRelease = (version: string) =>
    database.transaction((transaction) =>
      transaction.run(sql`update deliveries set release = ${version}`),
    )
  await setRelease('1.0.0')
  expect(await isToTell()).toBe(true)
  expect(await isVersionToTell(database, releases.slice(1))).toBe(false)
  await setRelease('1.1.0')
  expect(await isToTell()).toBe(false)
})
