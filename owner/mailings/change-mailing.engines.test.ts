import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { act, change, draft, listOf, news, rowOf, seriesList } from '#rigs/owner/letters.ts'
import { addresses } from '#rigs/server/people.ts'
import { readAudit } from '#owner/acts/audit.ts'
import { dayMs } from '#server/database/clock.ts'
import { beforeStartMs, changeMailing, type MailingAct } from './change-mailing.ts'
import type { MailingState } from './mailings.ts'

test.each<[MailingAct, MailingState, string]>([
  ['pause', 'draft', 'is a draft'],
  ['restore', 'draft', 'is a draft'],
  ['send', 'scheduled', 'is scheduled'],
  ['resume', 'sending', 'is going out'],
  ['pause', 'paused', 'is paused'],
  ['cancel', 'done', 'is done'],
  ['resume', 'done', 'is done'],
  ['cancel', 'cancelled', 'was cancelled'],
])('to %s a letter that is %s is refused: it %s', async (what, state, words) => {
  const list = await listOf({ agreed: ['ada@example.com'] })
  const id = await draft(list, news)
  await change(list, sql`update mailings set state = ${state} where id = ${id}`)
  await expect(act(list, id, what)).rejects.toThrow(`“News” ${words}.`)
  expect((await rowOf(list, id)).state).toBe(state)
  expect(await readAudit(list.database)).toEqual([])
})

test.each(['pause', 'cancel'] as const)(
  'to %s a letter before it starts takes it back',
  async (what) => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    const id = await draft(list, news)
    await act(list, id, 'send')
    await act(list, id, what)
    expect((await rowOf(list, id)).state).toBe('draft')
  },
)

test('an act with a letter that is not there says so', async () => {
  const list = await listOf({})
  for (const what of ['send', 'pause'] as const) {
    await expect(act(list, 99, what)).rejects.toThrow('This letter does not exist any more.')
  }
})

test('each act with a letter is in the audit, with the number of the letter', async () => {
  const list = await listOf({ agreed: ['ada@example.com'] })
  const id = await draft(list, news)
  await changeMailing(list.database, id, { act: 'send', now: list.now(), isStartedNow: true })
  await list.sendMailings()
  for (const what of ['pause', 'resume', 'cancel'] as const) await act(list, id, what)
  const removed = await draft(list, news)
  for (const what of ['cancel', 'restore'] as const) await act(list, removed, what)
  const said = (await readAudit(list.database)).map(({ action, about }) => `${action} ${about}`)
  expect(said.toReversed()).toEqual([
    `Sent a letter ${id}`,
    `Paused a letter ${id}`,
    `Resumed a letter ${id}`,
    `Cancelled a letter ${id}`,
    `Cancelled a letter ${removed}`,
    `Restored a letter ${removed}`,
  ])
})

test('a letter may begin a minute from now at the earliest, and a year from now at the latest', async () => {
  const list = await listOf({ agreed: ['ada@example.com'] })
  const at = async (ms: number) =>
    act(list, await draft(list, { ...news, sendAt: list.start + ms }), 'send')
  await expect(at(beforeStartMs - 1)).rejects.toThrow('less than a minute away')
  await at(beforeStartMs)
  await at(366 * dayMs)
  await expect(at(366 * dayMs + 1)).rejects.toThrow('more than a year away')
})

test('what a pause holds goes on, and what a cancelled letter held or queued does not', async () => {
  const list = await listOf({ agreed: addresses(3) })
  const id = await list.send(news)
  const states = () =>
    list.database.rows(sql`
      select state, count(*) as mails from deliveries where mailing is not null group by state`)
  await act(list, id, 'pause')
  expect(await states()).toEqual([{ state: 'held', mails: 3 }])
  list.at(dayMs)
  await act(list, id, 'resume')
  expect(await states()).toEqual([{ state: 'queued', mails: 3 }])
  expect(await rowOf(list, id)).toMatchObject({ state: 'sending', resumedAt: list.start + dayMs })
  await act(list, id, 'cancel')
  expect(await states()).toEqual([{ state: 'cancelled', mails: 3 }])
  expect(await rowOf(list, id)).toMatchObject({ state: 'cancelled', endedAt: list.start + dayMs })
})

test('a letter of the series that is restored is as it was: a draft, or paused', async () => {
  const list = await seriesList()
  const id = await draft(list, { ...news, afterDays: 1 })
  await act(list, id, 'cancel')
  await act(list, id, 'restore')
  expect((await rowOf(list, id)).state).toBe('draft')
  await act(list, id, 'send')
  await act(list, id, 'cancel')
  await act(list, id, 'restore')
  expect(await rowOf(list, id)).toMatchObject({ state: 'paused', endedAt: null })
  await act(list, id, 'send')
  expect((await rowOf(list, id)).state).toBe('sending')
})

test.each([
  { why: null, subjects: [] },
  { why: '4 of the last 60 failed or came back', subjects: ['News'] },
])(
  'after a pause of the series, because $why, people whose day passed meanwhile get $subjects',
  async ({ why, subjects }) => {
    const list = await seriesList()
    const id = await list.send({ ...news, afterDays: 2 })
    await act(list, id, 'pause')
    await change(list, sql`update mailings set paused_why = ${why} where id = ${id}`)
    list.at(4 * dayMs)
    await act(list, id, 'resume')
    expect((await rowOf(list, id)).pausedWhy).toBeNull()
    await list.deliver()
    expect(list.subjects()).toEqual(subjects)
  },
)
