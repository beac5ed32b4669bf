import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { change } from '#rigs/owner/letters.ts'
import { makeMailingList } from '#rigs/owner/mailing-list.ts'
import { readAudit } from '#owner/acts/audit.ts'
import { readJob } from '#owner/acts/jobs/jobs.ts'
import type { RecordEvent } from '#server/subscribers/events.ts'
import { addPerson, importAct, startImport } from './import-people.ts'

/** A list with Ada, and Cyd, who blocked our mail. `told`: the events of the list. */
async function someList() {
  const list = await makeMailingList()
  await list.signUp(['ada@example.com', 'cyd@gmail.com'])
  await change(list, sql`update subscribers set state = 'blocked' where identity like 'cyd%'`)
  const told: string[] = []
  const recordEvent: RecordEvent = async (_transaction, type, id) => void told.push(`${type} ${id}`)
  return { list, told, deps: { now: list.now, recordEvent } }
}

const person = (address: string, consentedAt: number | null = null) => ({
  identity: address,
  address,
  signedUpAt: 5,
  consentedAt,
  line: 1,
})

async function imported(campaign: string, people: ReturnType<typeof person>[]) {
  const { list, told, deps } = await someList()
  const { database } = list
  const tried = { wanted: people, known: 0, duplicates: 0, refused: [] }
  const id = await startImport(database, tried, { campaign, now: list.now() })
  const job = await readJob(database, id)
  const counts = await database.transaction((transaction) =>
    importAct(deps)(transaction, people, job!),
  )
  const rows = (query: ReturnType<typeof sql>) => database.rows(query)
  return {
    counts,
    told,
    rows: await rows(sql`
      select id, address, state, form, campaign, signed_up_at, announcements_agreed_at as agreed
      from subscribers where id > 2 order by id`),
    undoable: await rows(sql`select subscriber from imported_people order by subscriber`),
    daily: await rows(sql`select event, detail, count from daily_counts`),
  }
}

test('a piece of an import adds whom nobody knows, and counts the others', async () => {
  const people = [
    person('bob@example.com', 9),
    person('eve@example.com'),
    person('ada@example.com'),
    person('c.yd+tag@gmail.com'),
  ]
  const row = { state: 'active', form: null, campaign: 'spring', signed_up_at: 5 }
  expect(await imported('spring', people)).toEqual({
    counts: { added: 2, consented: 1, known: 1, refused: 1 },
    told: ['joined 3', 'consented 3', 'joined 4'],
    rows: [
      { id: 3, address: 'bob@example.com', agreed: 9, ...row },
      { id: 4, address: 'eve@example.com', agreed: null, ...row },
    ],
    undoable: [{ subscriber: 3 }, { subscriber: 4 }],
    daily: [{ event: 'imported-from', detail: 'spring', count: 2 }],
  })
})

test.each([
  ['', [person('bob@example.com')], 1],
  ['spring', [person('ada@example.com')], 0],
])(
  'nothing is counted for the campaign “%s” with nobody new by it',
  async (name, people, added) => {
    expect(await imported(name, people)).toMatchObject({ counts: { added }, daily: [] })
  },
)

test('one person is added with the day of their consent, and none is mailed', async () => {
  const { list, told, deps } = await someList()
  const { database } = list
  await addPerson(database, { address: 'Bob@example.com', consentedAt: list.start }, deps)
  await addPerson(database, { address: 'eve@example.com' }, deps)
  expect(told).toEqual(['joined 3', 'consented 3', 'joined 4'])
  const rows = await database.rows(sql`
    select address, signed_up_at as "signedUpAt", announcements_agreed_at as agreed, campaign,
      case when series_from is null then 0 else 1 end as "isInSeries"
    from subscribers where id > 2 order by id`)
  const at = { signedUpAt: list.start, campaign: null }
  expect(rows).toEqual([
    { address: 'Bob@example.com', agreed: list.start, isInSeries: 1, ...at },
    { address: 'eve@example.com', agreed: null, isInSeries: 0, ...at },
  ])
  expect(await readAudit(database)).toMatchObject([
    { action: 'Added a person', about: '4' },
    { action: 'Added a person', about: '3' },
  ])
  expect(await database.rows(sql`select id from deliveries`)).toEqual([])
})

test.each([
  ['nobody', 0, 'That is not an email address.'],
  ['bob@example.com', 1, 'The day of their consent is in the future.'],
  ['c.yd@gmail.com', 0, 'The holder of that inbox blocked our mail.'],
  ['Ada@example.com', 0, 'That address is on the list already.'],
])('%s is not added', async (address, ahead, why) => {
  const { list, told, deps } = await someList()
  const adding = addPerson(list.database, { address, consentedAt: list.start + ahead }, deps)
  await expect(adding).rejects.toThrow(why)
  expect(told).toEqual([])
  expect(await readAudit(list.database)).toEqual([])
})
