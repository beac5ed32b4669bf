import { expect, onTestFinished, test } from 'vitest'
import { makeTemporaryDatabase } from '#rigs/database/temporary-database.ts'
import { faultsIn } from '#rigs/owner/check-three-weeks.ts'
import { liveThreeWeeks } from '#rigs/owner/three-weeks.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'

const everyHours = 24

test('in three weeks of joining, leaving, changing, importing and erasing, with a dead worker a day and a restore, each letter comes once to each who should have it', async () => {
  const { url, remove } = await makeTemporaryDatabase(ownerMigrations)
  onTestFinished(remove)
  const options = { url, folder: temporaryFolder(), people: 100, everyHours }
  const weeks = await liveThreeWeeks(options)
  expect(faultsIn(weeks, everyHours * 60 * 60_000)).toEqual([])
  for (const subject of [...weeks.letters.keys(), weeks.news]) {
    expect(weeks.mails.filter((mail) => mail.subject === subject).length).toBeGreaterThan(10)
  }
})
