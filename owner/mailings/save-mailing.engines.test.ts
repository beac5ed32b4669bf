import { describe, expect, test } from 'vitest'
import { act, draft, listOf, news, rowOf, save } from '#rigs/owner/letters.ts'
import { saveMailing } from './save-mailing.ts'

describe('a draft', () => {
  test('keeps what another device saved in other fields', async () => {
    const list = await listOf({})
    const id = await draft(list, news)
    await save(list, id, { subject: 'Here' })
    const outcome = await save(list, id, { words: 'There' }, { revision: 1 })
    expect(outcome).toMatchObject({ kind: 'saved' })
    expect(await rowOf(list, id)).toMatchObject({ subject: 'Here', words: 'There' })
  })

  test('asks when two devices changed the same field, and saves nothing', async () => {
    const list = await listOf({})
    const id = await draft(list, news)
    await save(list, id, { words: 'Here' })
    const outcome = await save(
      list,
      id,
      { words: 'There' },
      { revision: 1, before: { words: 'Hello' } },
    )
    expect(outcome).toMatchObject({ kind: 'conflict', theirs: { words: 'Here' } })
    expect((await rowOf(list, id)).words).toBe('Here')
  })

  test('is saved again without a question if the answer to a save was lost', async () => {
    const list = await listOf({})
    const id = await draft(list, news)
    const before = { words: 'Hello' }
    await save(list, id, { words: 'Here' }, { revision: 1, before })
    const again = await save(list, id, { words: 'Here' }, { revision: 1, before })
    expect(again.kind).toBe('saved')
  })

  test('is saved in each of its fields, and counts its revisions', async () => {
    const list = await listOf({})
    const id = await draft(list, news)
    const changes = {
      subject: 'Other',
      preview: 'Soon',
      words: 'Words',
      to: 'everyone',
      campaigns: ['youtube'],
      notMailing: 7,
      sendAt: 9,
    } as const
    list.at(1_000)
    const saved = await save(list, id, { ...changes, campaigns: ['youtube'] })
    expect(saved).toEqual({ kind: 'saved', revision: 2 })
    const row = await rowOf(list, id)
    expect(row).toMatchObject({ ...changes, revision: 2, changedAt: list.start + 1_000 })
    await save(list, id, { campaigns: [], notMailing: null, sendAt: null })
    expect(await rowOf(list, id)).toMatchObject({
      subject: 'Other',
      campaigns: null,
      notMailing: null,
      sendAt: null,
    })
  })

  test('that is not there is told', async () => {
    const { database, now } = await listOf({})
    const saving = saveMailing(database, { id: 9, changes: {}, before: {}, revision: 1 }, now())
    await expect(saving).rejects.toThrow('This letter does not exist any more.')
  })
})

describe('a letter of the series', () => {
  test.each([0, 1.5, 61])('comes on no day %d', async (afterDays) => {
    const list = await listOf({})
    const id = await draft(list, { ...news, afterDays: 5 })
    await expect(save(list, id, { afterDays })).rejects.toThrow(
      'A letter of the series comes 1 to 60 days after the consent.',
    )
  })

  test('comes on day 1 at the earliest, and on day 60 at the latest', async () => {
    const list = await listOf({})
    const id = await draft(list, { ...news, afterDays: 5 })
    for (const afterDays of [1, 60]) {
      await save(list, id, { afterDays })
      expect((await rowOf(list, id)).afterDays).toBe(afterDays)
    }
  })

  test('changes while it is paused, and not once it was removed', async () => {
    const list = await listOf({})
    const id = await draft(list, { ...news, afterDays: 5 })
    await act(list, id, 'send')
    await act(list, id, 'pause')
    expect(await save(list, id, { words: 'Other' })).toMatchObject({ kind: 'saved' })
    await act(list, id, 'cancel')
    await expect(save(list, id, { words: 'More' })).rejects.toThrow('This letter has started.')
  })

  test('is no letter that goes out once', async () => {
    const list = await listOf({})
    const id = await draft(list, news)
    await expect(save(list, id, { afterDays: 5 })).rejects.toThrow(
      'This letter is not one of the series.',
    )
  })
})
