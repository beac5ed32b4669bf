import { expect, test } from 'vitest'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { readActs, recordAct } from './audit.ts'
import { dropEnded } from './sessions.ts'

test('the audit keeps numbers and names of announcements and no addresses, lists the newest first, and forgets after three years', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  await recordAct(database, 1, 'Erased person', 7)
  await recordAct(database, 2, 'Announced', 'my-letter')
  for (const about of ['ada@example.com', '7 ada', 'ada 7', undefined]) {
    await recordAct(database, 3, 'Acted', about)
  }
  const acted = { at: 3, act: 'Acted', about: '' }
  const announced = { at: 2, act: 'Announced', about: 'my-letter' }
  const erased = { at: 1, act: 'Erased person', about: '7' }
  expect(await readActs(database)).toEqual([acted, acted, acted, acted, announced, erased])
  expect(await readActs(database, 7)).toEqual([erased])
  await dropEnded(database, 2 + 3 * 366 * 24 * 60 * 60_000)
  expect(await readActs(database)).toEqual([acted, acted, acted, acted, announced])
})
