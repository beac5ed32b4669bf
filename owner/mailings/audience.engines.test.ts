import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { act, change, draft, leave, listOf, news, rowOf } from '#rigs/owner/letters.ts'
import type { MailingList } from '#rigs/owner/mailing-list.ts'
import { addresses } from '#rigs/server/people.ts'
import { countAudience, isVersionToTell, nobody } from './audience.ts'
import { beforeStartMs } from './change-mailing.ts'
import type { NewMailing } from './mailings.ts'

const newest = { version: '1.10.0', date: '2026-01-05' }
const older = { version: '1.9.0', date: '2026-01-01' }
const aboutNewest = { version: newest.version, versionDate: newest.date }

describe('the audience that is counted is the one that gets it, with a reason for everybody else', () => {
  test('those who turned news off, left, were never asked, or have another letter', async () => {
    const list = await listOf({
      agreed: addresses(3),
      others: ['eve@example.com', 'off@example.com'],
    })
    await list.turn('off@example.com', 'off')
    await leave(list, 'n0@example.com')
    const first = await list.send(news)
    await list.deliver()
    await list.signUp(['late@example.com'], { agreed: true, kit: newest })
    expect(await countAndSend(list, { ...news, to: 'everyone', notMailing: first })).toEqual({
      counted: {
        ...nobody,
        agreed: 1,
        neverAsked: 1,
        turnedOff: 1,
        unsubscribed: 1,
        haveTheOther: 2,
      },
      got: ['eve@example.com', 'late@example.com'],
    })
  })

  test('those of another campaign, who have the version, or whose mail came back', async () => {
    const list = await listOf({ agreed: addresses(5), others: ['eve@example.com'] })
    await list.signUp(['late@example.com'], { agreed: true, kit: newest })
    await change(list, sql`update subscribers set campaign = 'youtube' where identity like 'n0%'`)
    await change(list, sql`update subscribers set campaign = 'x' where identity like 'n1%'`)
    await change(list, sql`update subscribers set state = 'blocked' where identity like 'n3%'`)
    await change(
      list,
      sql`update subscribers set state = 'undeliverable' where identity like 'n4%'`,
    )
    const letter = { ...news, ...aboutNewest, campaigns: ['youtube', 'none'] }
    expect(await countAndSend(list, letter)).toEqual({
      counted: {
        ...nobody,
        agreed: 2,
        neverAsked: 1,
        haveTheVersion: 1,
        otherCampaign: 1,
        undeliverable: 1,
        blocked: 1,
      },
      got: ['n0@example.com', 'n2@example.com'],
    })
  })

  test('of a version: whose starter mail had an older one or none, whenever they signed up', async () => {
    const list = await listOf({ agreed: ['imported@example.com'] })
    const signUp = (name: string, kit: typeof newest, at: number) =>
      list.signUp([`${name}@example.com`], { agreed: true, kit, at })
    await signUp('late', older, list.start)
    await signUp('sameday', { ...older, date: newest.date }, list.start)
    await signUp('early', newest, 0)
    await signUp('newer', { version: '1.11.0', date: '2026-01-06' }, list.start)
    expect(await countAndSend(list, { ...news, ...aboutNewest })).toEqual({
      counted: { ...nobody, agreed: 3, haveTheVersion: 2 },
      got: ['imported@example.com', 'late@example.com', 'sameday@example.com'],
    })
  })
})

test('a version is there to tell about while it would reach somebody, and no letter told of it', async () => {
  const list = await listOf({})
  const releases = [newest, older].map((release) => ({ ...release, changes: [] }))
  const isToTell = () => isVersionToTell(list.database, releases)
  await list.signUp(['new@example.com'], { kit: newest })
  expect(await isToTell()).toBe(false)
  await list.signUp(['old@example.com'], { kit: older })
  expect(await isToTell()).toBe(true)
  for (const few of [[], releases.slice(0, 1)]) {
    expect(await isVersionToTell(list.database, few)).toBe(false) // the first is no news
  }
  await list.turn('old@example.com', 'off')
  expect(await isToTell()).toBe(false)
  await list.turn('old@example.com', 'on')
  const letter = await draft(list, { ...news, ...aboutNewest })
  expect(await isToTell()).toBe(false)
  await act(list, letter, 'cancel')
  expect(await isToTell()).toBe(true)
})

/** Counts a letter's audience, then sends it. `got`: the addresses that it went to. */
async function countAndSend(list: MailingList, letter: NewMailing) {
  const id = await draft(list, letter)
  const { recipients, people } = await countAudience(list.database, await rowOf(list, id))
  const before = list.mailer.attempts.length
  await act(list, id, 'send')
  list.at(beforeStartMs)
  await list.deliver()
  const got = list.mailer.attempts.slice(before).map(({ message }) => message.to)
  expect(got).toHaveLength(recipients)
  return { counted: people, got: got.toSorted() }
}
