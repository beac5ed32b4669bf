import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { makeMailingList, type MailingList } from '#rigs/owner/mailing-list.ts'
import { countHandOver } from '#server/deliveries/hand-overs.ts'
import { noteSameRefusals, recordFlow } from '#server/deliveries/mail-state.ts'
import { readOwnerMailState } from './mail-trouble.ts'
import { wordsOfMailTrouble } from './mail-trouble-words.ts'

const minuteMs = 60_000
const ceiling = { siteMailsPerHour: 8 }

test('a ceiling that is reached is told from mail that is stuck, with the minute when the next mail may go', async () => {
  const { list, state } = await listWithOldMail()
  expect(await state()).toMatchObject({ kind: 'stuck' })
  for (let mail = 0; mail < 8; mail += 1) await handOver(list, list.start + mail * minuteMs)
  expect(await state()).toMatchObject({
    kind: 'full',
    allowed: 8,
    used: 8,
    roomAt: list.start + 61 * minuteMs,
  })
})

test('an hour that is used up is told in words, without the name of a variable', () => {
  const trouble = { kind: 'full', since: 0, allowed: 8, used: 8, roomAt: 0 } as const
  const { text } = wordsOfMailTrouble(trouble, { waiting: 3, at: 0, timeOf: () => '04:25' })
  expect(text).toContain('8 mails an hour are allowed')
  expect(text).not.toMatch(/[A-Z]_[A-Z]/)
})

test('mail that may not use the last quarter of the hour waits for room below it', async () => {
  const { list, state } = await listWithOldMail()
  for (let mail = 0; mail < 7; mail += 1) await handOver(list, list.start + mail * minuteMs)
  expect(await state()).toMatchObject({
    kind: 'full',
    used: 7,
    roomAt: list.start + 62 * minuteMs,
  })
})

test('with room in the hour, or without a ceiling, mail that does not go out is stuck', async () => {
  const { list, state } = await listWithOldMail()
  for (let mail = 0; mail < 5; mail += 1) await handOver(list, list.start)
  expect(await state()).toMatchObject({ kind: 'stuck' })
  expect(await state({ siteMailsPerHour: Infinity })).toMatchObject({ kind: 'stuck' })
})

test('the same refusal of people of different domains is told for an hour, also while other mail goes out', async () => {
  const { list, state } = await listWithOldMail()
  const why = 'smtp 550 5.1.1 to RCPT TO'
  await handOver(list, list.now())
  await list.database.transaction(async (transaction) => {
    await recordFlow(transaction, { kind: 'sent', ms: 1 }, { now: list.now(), nextTryMs: 0 })
    await noteSameRefusals(transaction, why, list.now())
  })
  expect(await state()).toEqual({ kind: 'refusing', since: list.now(), why })
  list.at(91 * minuteMs)
  expect((await state())?.kind).not.toBe('refusing')
})

/** A mail has been due since the start, and it is half an hour later. */
async function listWithOldMail() {
  const list = await makeMailingList()
  await list.signUp(['ada@example.com'])
  await list.database.transaction(async (transaction) => {
    await transaction.run(sql`insert into mail_templates (hash, content) values ('t', '{}')`)
    await transaction.run(sql`
      insert into deliveries (subscriber, message_id, template, state, priority, due_at, queued_at)
      select id, '<m@mail.example>', 't', 'queued', 0, ${list.start}, ${list.start} from subscribers`)
  })
  list.at(30 * minuteMs)
  const state = async (limits = ceiling) =>
    (await readOwnerMailState(list.database, limits, list.now())).trouble
  return { list, state }
}

function handOver({ database }: MailingList, at: number): Promise<void> {
  return database.transaction((transaction) => countHandOver(transaction, at))
}
