import { expect, test } from 'vitest'
import { makeMailingList, type MailingList } from '#rigs/owner/mailing-list.ts'
import { addresses } from '#rigs/server/people.ts'
import { exportSubscribers } from './export/export-subscribers.ts'
import { readImport } from './import/read-import.ts'
import { refusedLinesFile } from './import/refused-lines.ts'
import { tryImport } from './import/try-import.ts'

const emails = addresses(2_000)
const csv = Buffer.from(`email\n${emails.join('\n')}\n`)

test.each<[string, number, (list: MailingList) => Promise<unknown>]>([
  [
    'an export',
    4,
    ({ database }) => Array.fromAsync(exportSubscribers(database, { format: 'csv' })),
  ],
  ['reading an import', 2, ({ now }) => readImport(csv, { now: now() })],
  [
    'trying an import out',
    4,
    async ({ database, now }) => {
      await tryImport(database, await readImport(csv, { now: now() }))
    },
  ],
  [
    'writing the refused lines',
    4,
    () => {
      const refused = emails.map((why, line) => ({ line, why, reason: 'not an email address' }))
      return Array.fromAsync(refusedLinesFile(refused))
    },
  ],
])('%s of 2,000 people leaves the event loop to others %i times', async (_what, least, work) => {
  const list = await makeMailingList()
  await list.signUp(emails)
  let turns = 0
  const next = () => {
    turns += 1
    timer = setImmediate(next)
  }
  let timer = setImmediate(next)
  await work(list)
  clearImmediate(timer)
  expect(turns).toBeGreaterThanOrEqual(least)
})
