import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { permanent } from '#rigs/mail/programmable-mailer.ts'
import { act, change, draft, leave, listOf, news, rowOf, save } from '#rigs/owner/letters.ts'
import { addresses } from '#rigs/server/people.ts'
import { dayMs } from '#server/database/clock.ts'
import { countAudience } from './audience.ts'
import { beforeStartMs, changeMailing } from './change-mailing.ts'
import type { NewMailing } from './mailings.ts'

describe('a letter', () => {
  test('goes to everybody who agreed, once each, and its row has the figures', async () => {
    const list = await listOf({
      agreed: ['ada@example.com', 'bob@example.com'],
      others: ['eve@example.com'],
    })
    const id = await list.send(news)
    expect(await list.deliver()).toBe(2)
    await list.sendMailings()
    expect(await rowOf(list, id)).toMatchObject({ state: 'done', toSend: 2, sent: 2, failed: 0 })
    expect(await list.deliver()).toBe(0)
  })

  test('to everyone leaves out those who turned news off', async () => {
    const list = await listOf({
      agreed: ['ada@example.com'],
      others: ['eve@example.com', 'off@example.com'],
    })
    await list.turn('off@example.com', 'off')
    await list.send({ ...news, to: 'everyone' })
    expect(await list.deliver()).toBe(2)
  })

  test('to a campaign leaves out the others', async () => {
    const list = await listOf({ agreed: ['ada@example.com', 'bob@example.com'] })
    await change(list, sql`update subscribers set campaign = 'youtube' where identity like 'ada%'`)
    await list.send({ ...news, campaigns: ['youtube'] })
    expect(await list.deliver()).toBe(1)
  })

  test('for those who have not had another reaches exactly them, and both letters stay as they are', async () => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    const first = await list.send(news)
    await list.deliver()
    await list.signUp(['bob@example.com'], { agreed: true })
    const second = await list.send({ subject: 'News', words: 'Other words', notMailing: first })
    expect(await list.deliver()).toBe(1)
    await list.sendMailings()
    expect(list.mailer.attempts.map(({ message }) => message.to)).toEqual([
      'ada@example.com',
      'bob@example.com',
    ])
    expect((await rowOf(list, first)).words).toBe('Hello')
    expect((await rowOf(list, second)).words).toBe('Other words')
  })

  test('for those who have not had it reaches nobody twice, however often it is sent again', async () => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    const first = await list.send(news)
    await list.deliver()
    const again = { ...news, notMailing: first, again: 1 } as const
    for (const name of ['bob@example.com', 'cyd@example.com']) {
      await list.signUp([name], { agreed: true })
      const id = await draft(list, again)
      expect((await countAudience(list.database, await rowOf(list, id))).people).toMatchObject({
        agreed: 1,
      })
      await list.send(again)
      await list.deliver()
    }
    const other = list.send({ subject: 'Other', words: 'Words', notMailing: first })
    await expect(other).rejects.toThrow('Nobody on the list would get it.')
    expect(list.mailer.addresses()).toEqual([
      'ada@example.com',
      'bob@example.com',
      'cyd@example.com',
    ])
  })

  test('that left out the readers of another leaves the next letter its own', async () => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    const may = await list.send(news)
    await list.deliver()
    await list.signUp(['bob@example.com'], { agreed: true })
    for (const subject of ['June', 'July']) {
      await list.send({ subject, words: 'Words', notMailing: may })
      await list.deliver()
    }
    expect(list.subjects()).toEqual(['News', 'June', 'July'])
  })

  test('begins a minute after it was sent, and can be taken back until then', async () => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    const id = await draft(list, news)
    await act(list, id, 'send')
    list.at(beforeStartMs - 1)
    expect(await list.deliver()).toBe(0)
    await act(list, id, 'cancel')
    expect(await rowOf(list, id)).toMatchObject({ state: 'draft', words: 'Hello', startsAt: null })
    list.at(2 * beforeStartMs)
    expect(await list.deliver()).toBe(0)
    await act(list, id, 'send')
    list.at(3 * beforeStartMs)
    expect(await list.deliver()).toBe(1)
  })

  test('waits for the moment that the owner chose', async () => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    const id = await draft(list, { ...news, sendAt: list.start + dayMs })
    await act(list, id, 'send')
    list.at(dayMs - 1)
    expect(await list.deliver()).toBe(0)
    list.at(dayMs)
    expect(await list.deliver()).toBe(1)
  })

  test('that is paused sends nothing, and goes on where it stopped', async () => {
    const list = await listOf({ agreed: addresses(30) })
    const id = await draft(list, news)
    await changeMailing(list.database, id, { act: 'send', now: list.now(), isStartedNow: true })
    await list.sendMailings()
    await act(list, id, 'pause')
    expect(await list.deliver()).toBe(0)
    await act(list, id, 'resume')
    expect(await list.deliver()).toBe(30)
    await list.sendMailings()
    expect(await rowOf(list, id)).toMatchObject({ state: 'done', sent: 30 })
  })

  test('whose rest is cancelled reaches nobody else, and cannot be restored', async () => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    const id = await draft(list, news)
    await changeMailing(list.database, id, { act: 'send', now: list.now(), isStartedNow: true })
    await list.sendMailings()
    await act(list, id, 'cancel')
    expect(await list.deliver()).toBe(0)
    await expect(act(list, id, 'restore')).rejects.toThrow('have not had it')
  })

  test('that is removed can be restored, and is the same letter', async () => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    const id = await draft(list, news)
    await act(list, id, 'cancel')
    expect(await rowOf(list, id)).toMatchObject({ state: 'cancelled' })
    await act(list, id, 'restore')
    expect(await rowOf(list, id)).toMatchObject({ state: 'draft', subject: 'News', words: 'Hello' })
  })

  test('pauses automatically when too much comes back', async () => {
    const list = await listOf({ agreed: addresses(60) })
    list.mailer.answer((address) => (/^n[0-3]@/.test(address) ? permanent : { kind: 'accepted' }))
    const id = await list.send(news)
    await list.deliver()
    await list.signUp(['late@example.com'], { agreed: true })
    await list.sendMailings()
    const { state, pausedWhy, failed } = await rowOf(list, id)
    expect({ state, pausedWhy, failed }).toEqual({
      state: 'paused',
      pausedWhy: '4 of the last 60 failed or came back',
      failed: 4,
    })
  })

  test('that went to everybody has ended, however much came back', async () => {
    const list = await listOf({ agreed: addresses(60) })
    list.mailer.answer((address) => (/^n[0-3]@/.test(address) ? permanent : { kind: 'accepted' }))
    const id = await list.send(news)
    await list.deliver()
    await list.sendMailings()
    expect(await rowOf(list, id)).toMatchObject({ state: 'done', pausedWhy: null, failed: 4 })
  })

  test('counts who leaves within a day after it', async () => {
    const list = await listOf({ agreed: ['ada@example.com', 'bob@example.com', 'eve@example.com'] })
    const id = await list.send(news)
    await list.deliver()
    list.at(dayMs - 1)
    await list.turn('ada@example.com', 'off')
    await leave(list, 'bob@example.com')
    list.at(dayMs)
    await leave(list, 'eve@example.com')
    expect((await rowOf(list, id)).left).toBe(2)
  })

  test('is not sent to somebody who left after it was queued', async () => {
    const list = await listOf({ agreed: ['ada@example.com', 'bob@example.com'] })
    await list.send(news)
    await list.turn('ada@example.com', 'off')
    expect(await list.deliver()).toBe(1)
  })

  test.each<[NewMailing, string]>([
    [{ words: 'Hello' }, 'It has no subject yet.'],
    [{ subject: 'News', words: ' ' }, 'It has no text yet.'],
    [{ ...news, words: '[here](https://)' }, 'The link “here”'],
    [{ ...news, words: '![](/pictures/a.png)' }, 'A picture has no description'],
    [{ ...news, sendAt: 1 }, 'This time has passed'],
    [{ ...news, sendAt: Date.UTC(2027, 0, 7) }, 'This time is more than a year away.'],
    [{ ...news, campaigns: ['nowhere'] }, 'Nobody on the list would get it.'],
  ])('%o is not sent', async (letter, why) => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    await expect(act(list, await draft(list, letter), 'send')).rejects.toThrow(why)
  })

  test('that was sent is neither sent again nor changed', async () => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    const id = await list.send(news)
    await expect(act(list, id, 'send')).rejects.toThrow('“News” is going out.')
    await expect(save(list, id, { words: 'Other' })).rejects.toThrow('This letter has started.')
  })
})
