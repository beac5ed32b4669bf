import { describe, expect, test } from 'vitest'
import { draft, listOf, news, rowOf, save } from '#rigs/owner/letters.ts'

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
})
