import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { change } from '#rigs/owner/letters.ts'
import { makeMailingList, type MailingList } from '#rigs/owner/mailing-list.ts'
import { shortTemplate } from '#rigs/server/queue-mails.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import type { RecordEvent } from '#server/subscribers/events.ts'
import {
  correctAddress,
  erasePerson,
  putBackPerson,
  sendAgain,
  unsubscribePerson,
} from './change-subscriber.ts'

const impossible = 'This cannot be done in their present state.'
const ada = 'ada@example.com'

/** Ada on the list, and the acts of the owner with her. `told`: the events of the list. */
async function listWithAda(columns = sql`state = 'active'`) {
  const list = await makeMailingList({ NODE_ENV: 'production' })
  await list.signUp([ada])
  await change(list, sql`update subscribers set ${columns}`)
  const id = await list.idOf(ada)
  const told: string[] = []
  const recordEvent: RecordEvent = async (_transaction, type) => void told.push(type)
  const starterTemplate = await list.database.transaction((transaction) =>
    keepTemplate(transaction, shortTemplate),
  )
  const site = { current: { starterTemplate, releases: [] } }
  const context = { ...list.context, recordEvent, site }
  return { list, id, told, context }
}

const mails = ({ database }: MailingList) =>
  database.rows<{ state: string }>(sql`select state from deliveries`)

test.each([
  ['was on the list', sql`state = 'active'`, []],
  ['agreed to news', sql`announcements_agreed_at = 5`, ['left']],
  ['could not be reached', sql`state = 'undeliverable', left_at = 5`, ['joined']],
  [
    'agreed, and could not be reached',
    sql`state = 'undeliverable', announcements_agreed_at = 5`,
    ['left', 'joined'],
  ],
])('of a corrected address of somebody who %s programs are told', async (_, columns, events) => {
  const { list, id, told, context } = await listWithAda(columns)
  await change(list, sql`insert into webhook_told values (${id})`)
  await correctAddress(context, id, 'Ada@example.org')
  expect(told).toEqual(events)
  expect(await mails(list)).toEqual([{ state: 'queued' }])
  expect(await list.database.rows(sql`select * from webhook_told`)).toEqual([])
  const row = await list.database.row(sql`
    select address, state, left_at, announcements_agreed_at from subscribers`)
  expect(row).toEqual({
    address: 'Ada@example.org',
    state: 'active',
    left_at: null,
    announcements_agreed_at: null,
  })
})

test.each(['unsubscribed', 'blocked'])(
  'somebody who is %s gets no other address and no mail, and is not unsubscribed again',
  async (state) => {
    const { list, id, told, context } = await listWithAda(sql`state = ${state}, left_at = 5`)
    await expect(correctAddress(context, id, 'ada@example.org')).rejects.toThrow(impossible)
    await expect(sendAgain(context, id)).rejects.toThrow(impossible)
    await expect(unsubscribePerson(context, id)).rejects.toThrow(impossible)
    expect({ told, mails: await mails(list) }).toEqual({ told: [], mails: [] })
  },
)

test.each(['queued', 'sending'])('while a mail is %s there is no second one', async (state) => {
  const { list, id, context } = await listWithAda()
  await sendAgain(context, id)
  await change(list, sql`update deliveries set state = ${state}`)
  await expect(sendAgain(context, id)).rejects.toThrow(impossible)
  await expect(correctAddress(context, id, 'ada@example.org')).rejects.toThrow(impossible)
  await change(list, sql`update deliveries set state = 'sent'`)
  await sendAgain(context, id)
  expect(await mails(list)).toHaveLength(2)
})

test.each([
  ['no address', 'That is not an email address.'],
  ['bob@example.com', 'That address is on the list already.'],
  ['cyd+tag@example.com', 'The holder of that inbox blocked our mail.'],
])('an address is not corrected to %s', async (address, why) => {
  const { list, id, context } = await listWithAda()
  await list.signUp(['bob@example.com', 'cyd@example.com'])
  await change(list, sql`update subscribers set state = 'blocked' where identity like 'cyd%'`)
  await expect(correctAddress(context, id, address)).rejects.toThrow(why)
})

test.each([
  ['was on the list', sql`state = 'active'`, ['joined']],
  ['agreed to news', sql`announcements_agreed_at = 5`, ['joined', 'consented']],
  ['could not be reached', sql`state = 'undeliverable', left_at = 5`, []],
])(
  'somebody who %s is put back as they were, which programs are told',
  async (_, columns, back) => {
    const { list, id, told, context } = await listWithAda(columns)
    const row = () =>
      list.database.row(sql`
    select state, left_at, announcements_agreed_at from subscribers`)
    const before = await row()
    await unsubscribePerson(context, id)
    expect(await row()).toMatchObject({ state: 'unsubscribed', announcements_agreed_at: null })
    await putBackPerson(context, id)
    expect(await row()).toEqual(before)
    expect(told).toEqual(['left', ...back])
    expect(await mails(list)).toEqual([])
  },
)

test('an act with somebody who was erased says so', async () => {
  const { id, told, context } = await listWithAda()
  await erasePerson(context, id)
  expect(told).toEqual(['erased'])
  for (const act of [sendAgain, unsubscribePerson, putBackPerson, erasePerson]) {
    await expect(act(context, id)).rejects.toThrow('This person was erased.')
  }
})
