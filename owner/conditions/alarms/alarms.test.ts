import { expect, test } from 'vitest'
import { makeMailingList } from '#rigs/owner/mailing-list.ts'
import { sendAlarms } from './alarms.ts'
import { about, type Condition } from '../condition.ts'
import { readSince } from './open-since.ts'

const minuteMs = 60_000
const dkim = about('dns.dkim')
const broken = dkim.error('The DKIM key is not published.', 'Publish this record.', {
  record: { name: 'one._domainkey.bot.example', type: 'TXT', value: 'v=DKIM1; p=abc' },
})
const fine = dkim.fine('Our DKIM key is published.')

/** An owner, and what is mailed when these are the conditions at that minute. */
async function ownersAlarms() {
  const list = await makeMailingList({}, Date.UTC(2026, 0, 12, 7))
  const deps = { ...list.context, ownerEmail: 'owner@example.org' }
  return {
    since: () => readSince(list.database),
    async at(minute: number, ...conditions: Condition[]) {
      list.at(minute * minuteMs)
      await sendAlarms(deps, conditions)
      return list.mailer.attempts.splice(0).map(({ message }) => message)
    },
  }
}

test('an error is mailed once, with its reason, what to do and what to paste', async () => {
  const { at } = await ownersAlarms()
  const [mail, ...more] = await at(0, broken)
  expect(more).toEqual([])
  expect(mail?.subject).toBe('Bot, alarm: the DKIM key is not published')
  for (const part of [broken.why, 'Publish this record.', 'TXT  v=DKIM1; p=abc']) {
    expect(mail?.text).toContain(part)
  }
  expect(await at(1, broken)).toEqual([])
})

test('the end of an error is mailed in the words of the condition that is fine, half an hour after it was last seen', async () => {
  const { at, since } = await ownersAlarms()
  await at(0, broken)
  expect(await at(29, fine)).toEqual([])
  expect((await at(31, fine)).map(({ subject }) => subject)).toEqual([
    'Bot, all clear: our DKIM key is published',
  ])
  expect(await at(32, fine)).toEqual([])
  expect(await since()).toEqual(new Map())
  expect(await at(90, broken)).toHaveLength(1)
})

test('an error that cannot be checked for a while is not over', async () => {
  const { at } = await ownersAlarms()
  await at(0, broken)
  expect(await at(60, dkim.notChecked('No DNS.'))).toEqual([])
  expect(await at(61, broken)).toEqual([])
})

test('warnings, and what blocks the opening of a page, are not mailed, but known since when', async () => {
  const { at, since } = await ownersAlarms()
  const dmarc = about('dns.dmarc').warning('There is no DMARC record.')
  const name: Condition = {
    ...about('you.name').error('Your name is missing.'),
    severity: 'blocks',
  }
  expect(await at(0, dmarc, name)).toEqual([])
  expect(await at(5, dmarc, name)).toEqual([])
  const start = Date.UTC(2026, 0, 12, 7)
  expect(await since()).toEqual(
    new Map([
      ['dns.dmarc', start],
      ['you.name', start],
    ]),
  )
  expect(await at(60, about('dns.dmarc').fine('It is there.'))).toEqual([])
  expect(await since()).toEqual(new Map())
})

test('a warning that becomes an error is mailed then', async () => {
  const { at } = await ownersAlarms()
  expect(await at(0, dkim.warning('The key is short.'))).toEqual([])
  expect(await at(10, broken)).toHaveLength(1)
})
