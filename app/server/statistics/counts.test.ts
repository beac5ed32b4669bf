import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { createLog } from '../log.ts'
import { Counts } from './counts.ts'
import { readDailyCounts } from './daily-counts.ts'

const midnight = Date.UTC(2026, 0, 6)

test('counted events add up by day, also for a clock that is set back', async () => {
  const { counts, at, write, written } = await startCounting()
  counts.countSent(20)
  counts.countPostponed()
  counts.countLimit('site')
  await write()
  at(midnight)
  counts.countFailed('refused')
  await write()
  counts.countFailed('refused')
  await write()
  await write()
  at(midnight - 1)
  counts.countLimit('site')
  await write()
  expect(await written()).toEqual([
    '2026-01-05 delivered  1',
    '2026-01-05 limit-hit site 2',
    '2026-01-06 failed refused 2',
  ])
})

test('counts that cannot be written add up with later ones and are written once', async () => {
  const { counts, database, write, written, log } = await startCounting()
  await database.script('alter table daily_counts rename to gone')
  await write()
  expect(await log(), 'without an event nothing is asked').toBe('')
  counts.countLimit('site')
  await write()
  counts.countLimit('site')
  expect(await log()).toContain('counts of the day not written yet')
  await database.script('alter table gone rename to daily_counts')
  await write()
  await write()
  expect(await written()).toEqual(['2026-01-05 limit-hit site 2'])
})

test('from the hundred-and-first campaign of a day on, campaigns count as other', async () => {
  const { counts, at, write, written } = await startCounting()
  for (let index = 0; index < 150; index += 1) {
    counts.countCampaign('came-from', `campaign-${index}`)
  }
  for (const campaign of ['campaign-0', 'campaign-149', 'none', null]) {
    counts.countCampaign('came-from', campaign)
  }
  at(midnight)
  counts.countCampaign('came-from', 'campaign-149')
  await write()
  const lines = await written()
  expect(lines.filter((line) => line.startsWith('2026-01-05'))).toHaveLength(102)
  for (const line of [
    '05 came-from none 2',
    '05 came-from other 51',
    '05 came-from campaign-0 2',
    '06 came-from campaign-149 1',
  ]) {
    expect(lines).toContain(`2026-01-${line}`)
  }
})

async function startCounting() {
  const { database } = await temporaryDatabase()
  let time = midnight - 1
  let logged = ''
  const counts = new Counts(() => time)
  const log = createLog('info', (lines) => void (logged += lines))
  return {
    database,
    counts,
    at: (ms: number) => void (time = ms),
    write: () => counts.writeDays(database, log),
    async written() {
      const rows = await readDailyCounts(database, '')
      return rows.map(({ day, event, detail, count }) => `${day} ${event} ${detail} ${count}`)
    },
    async log() {
      await turn() // createLog writes at the end of one
      return logged
    },
  }
}
