import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { addresses, change, draft, leave, listOf, news, rowOf } from '#rigs/owner/letters.ts'
import { countAudience } from './audience.ts'
import { changeMailing } from './change-mailing.ts'

describe('the audience that is counted', () => {
  test('is the one that gets it, with a reason for everybody else', async () => {
    const list = await listOf({
      agreed: addresses(3),
      others: ['eve@example.com', 'off@example.com'],
    })
    await list.turn('off@example.com', 'off')
    await leave(list, 'n0@example.com')
    const first = await list.send(news)
    await list.deliver()
    await list.signUp(['late@example.com'], { agreed: true })
    const letter = { ...news, to: 'everyone', notMailing: first } as const
    const id = await draft(list, letter)
    expect(await countAudience(list.database, await rowOf(list, id))).toEqual({
      recipients: 2,
      people: {
        agreed: 1,
        neverAsked: 1,
        turnedOff: 1,
        haveTheVersion: 0,
        otherCampaign: 0,
        unsubscribed: 1,
        undeliverable: 0,
        blocked: 0,
        haveTheOther: 2,
      },
    })
    await changeMailing(list.database, id, { act: 'send', now: list.now(), isStartedNow: true })
    expect(await list.deliver()).toBe(2)
  })

  test('tells who came by another campaign, has the version, or is not on the list', async () => {
    const list = await listOf({ agreed: addresses(5), others: ['eve@example.com'] })
    await list.signUp(['late@example.com'], { agreed: true, at: list.start - 10 })
    await change(list, sql`update subscribers set campaign = 'youtube' where identity like 'n0%'`)
    await change(list, sql`update subscribers set campaign = 'x' where identity like 'n1%'`)
    await change(list, sql`update subscribers set state = 'blocked' where identity like 'n3%'`)
    await change(
      list,
      sql`update subscribers set state = 'undeliverable' where identity like 'n4%'`,
    )
    const signedUpBefore = list.start - 1_000
    const id = await draft(list, { ...news, campaigns: ['youtube', 'none'], signedUpBefore })
    expect(await countAudience(list.database, await rowOf(list, id))).toEqual({
      recipients: 2, // n0 of the campaign, n2 of none
      people: {
        agreed: 2,
        neverAsked: 1,
        turnedOff: 0,
        haveTheVersion: 1,
        otherCampaign: 1,
        unsubscribed: 0,
        undeliverable: 1,
        blocked: 1,
        haveTheOther: 0,
      },
    })
    await changeMailing(list.database, id, { act: 'send', now: list.now(), isStartedNow: true })
    expect(await list.deliver()).toBe(2)
  })
})
