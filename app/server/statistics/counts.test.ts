import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTemporaryDatabase } from '#rigs/database/temporary-database.ts'
import { createLog } from '../log.ts'
import { Counts, type SignUpAttribution } from './counts.ts'
import { type DailyCount, readDailyCounts } from './daily-counts.ts'

const midnight = Date.UTC(2026, 0, 6)
const fromHero: SignUpAttribution = { form: 'hero', campaign: 'newsletter', suggestionAccepted: false }

test('counted events add up by day in the database', async () => {
  const { counts, at, write, written } = await startCounting()
  at(midnight - 1)
  counts.countSignUp('registered', fromHero)
  counts.countSignUp('registered', { form: 'closing', campaign: 'none', suggestionAccepted: true })
  counts.countSignUp('already-registered', fromHero)
  for (const outcome of ['refused', 'invalid', 'unavailable'] as const) counts.countSignUp(outcome, fromHero)
  counts.countLimit('network')
  counts.countDelivery('sent', 20)
  counts.countDelivery('postponed')
  await write()
  at(midnight)
  counts.countSignUp('registered', fromHero)
  counts.countDelivery('failed')
  await write()
  counts.countSignUp('registered', fromHero)
  counts.countVisit('page-opened', 'person')
  await write()
  await write()
  expect(await written()).toEqual([
    '2026-01-05 came-from newsletter 1',
    '2026-01-05 came-from none 1',
    '2026-01-05 delivered  1',
    '2026-01-05 limit-hit network 1',
    '2026-01-05 listed-already  1',
    '2026-01-05 signed-up closing 1',
    '2026-01-05 signed-up hero 1',
    '2026-01-05 typo-rescued  1',
    '2026-01-06 came-from newsletter 2',
    '2026-01-06 failed  1',
    '2026-01-06 page-opened person 1',
    '2026-01-06 signed-up hero 2',
  ])
})

test('after a clock that was ahead is set back, events count for the real day again', async () => {
  const { counts, at, write, written } = await startCounting()
  at(midnight + 30 * 24 * 60 * 60_000)
  counts.countLimit('site')
  at(midnight)
  counts.countLimit('site')
  await write()
  expect(await written()).toEqual(['2026-01-06 limit-hit site 1', '2026-02-05 limit-hit site 1'])
})

test('counts that cannot be written add up with later ones and are written once', async () => {
  const { counts, database, write, written, log } = await startCounting()
  counts.countLimit('site')
  await database.runScript('alter table daily_counts rename to gone')
  await write()
  counts.countLimit('site')
  await write()
  expect(log()).toContain('counts of the day not written yet')
  await database.runScript('alter table gone rename to daily_counts')
  counts.countLimit('site')
  await write()
  await write()
  expect(await written()).toEqual(['2026-01-05 limit-hit site 3'])
})

test('a stop writes the last counts, also while a write is under way', async () => {
  const { database, counts, write, written, logTo } = await startCounting()
  const writing = counts.startWriting(database, logTo)
  counts.countLimit('site')
  const underWay = write()
  counts.countLimit('site')
  await writing.stop()
  await underWay
  expect(await written()).toEqual(['2026-01-05 limit-hit site 2'])
})

test('without an event the database gets no query', async () => {
  const { database, write, log } = await startCounting()
  await database.runScript('alter table daily_counts rename to gone')
  await write()
  expect(log()).toBe('')
})

test('from the hundred-and-first campaign of a day on, campaigns count as other', async () => {
  const { counts, at, write, written } = await startCounting()
  const comeFrom = (campaign: string) => counts.countSignUp('registered', { ...fromHero, campaign })
  for (let index = 0; index < 150; index += 1) comeFrom(`campaign-${index}`)
  await write()
  for (const campaign of ['campaign-0', 'campaign-149', 'none']) comeFrom(campaign)
  at(midnight)
  comeFrom('campaign-149')
  await write()
  const lines = (await written()).filter((line) => line.includes('came-from'))
  expect(lines.filter((line) => line.startsWith('2026-01-05'))).toHaveLength(102)
  expect(lines).toEqual(
    expect.arrayContaining([
      '2026-01-05 came-from none 1',
      '2026-01-05 came-from other 51',
      '2026-01-05 came-from campaign-0 2',
      '2026-01-06 came-from campaign-149 1',
    ]),
  )
})

async function startCounting() {
  const database = await openTemporaryDatabase()
  let [time, logged] = [midnight - 1, '']
  const counts = new Counts(() => time)
  const logTo = createLog('info', 'key', (lines) => void (logged += lines))
  return {
    database,
    counts,
    logTo,
    at: (ms: number) => void (time = ms),
    async write() {
      await counts.writeDays(database, logTo)
      await turn() // createLog writes at the end of one
    },
    written: async () => (await readDailyCounts(database.query, '')).map(asLine),
    log: () => logged,
  }
}

function asLine({ day, event, detail, count }: DailyCount): string {
  return `${day} ${event} ${detail} ${count}`
}
