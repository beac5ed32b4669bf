import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { groupCommits } from './group-commits.ts'

describe('group commits', () => {
  test('items that arrive together share one commit, and each gets its own result', async () => {
    const groups: number[] = []
    const double = groupCommits(async (items: readonly number[]) => {
      groups.push(items.length)
      return items.map((item) => item * 2)
    })
    expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6])
    expect(groups).toEqual([3])
  })

  test('a group also takes items of the next turns of the event loop, until one brings none', async () => {
    const groups: (readonly number[])[] = []
    const commit = groupCommits(async (items: readonly number[]) => {
      groups.push(items)
      return items
    })
    const first = commit(1)
    await turn()
    const second = commit(2)
    await turn()
    await turn()
    await Promise.all([first, second, commit(3)])
    expect(groups).toEqual([[1, 2], [3]])
  })

  test('no result is returned before its commit is done', async () => {
    const gate = Promise.withResolvers<void>()
    const commit = groupCommits(async (items: readonly string[]) => {
      await gate.promise
      return items
    })
    let answered = false
    const answer = commit('one').then(() => (answered = true))
    await turn()
    await turn()
    expect(answered).toBe(false)
    gate.resolve()
    await answer
  })

  test('the next group gathers while one commits', async () => {
    const groups: (readonly number[])[] = []
    const gate = Promise.withResolvers<void>()
    const commit = groupCommits(async (items: readonly number[]) => {
      groups.push(items)
      if (groups.length === 1) await gate.promise
      return items
    })
    const first = commit(1)
    await turn()
    await turn()
    const others = [commit(2), commit(3)]
    gate.resolve()
    await Promise.all([first, ...others])
    expect(groups).toEqual([[1], [2, 3]])
  })

  test('a row that cannot be stored does not fail the others of its group', async () => {
    const commit = groupCommits(async (items: readonly number[]) => {
      if (items.includes(2)) throw rowFault()
      return items
    })
    const outcomes = await Promise.allSettled([1, 2, 3].map(commit))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('a database that is away fails the whole group, without trying each item alone', async () => {
    let tries = 0
    const commit = groupCommits(async () => {
      tries += 1
      throw Object.assign(new Error('disk full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
    })
    const outcomes = await Promise.allSettled([1, 2, 3].map(commit))
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(tries).toBe(1)
  })

  test('commits work again after an error', async () => {
    let away = true
    const commit = groupCommits(async (items: readonly number[]) => {
      if (away) throw new Error('away')
      return items
    })
    await expect(commit(1)).rejects.toThrow('away')
    away = false
    expect(await commit(1)).toBe(1)
  })

  test('beyond 20,000 waiting items further ones are rejected', async () => {
    const gate = Promise.withResolvers<void>()
    const commit = groupCommits(async (items: readonly number[]) => {
      await gate.promise
      return items
    })
    const waiting = Array.from({ length: 20_000 }, (_, index) => commit(index))
    await expect(commit(1)).rejects.toThrow('too many wait')
    gate.resolve()
    await Promise.all(waiting)
  })
})

function rowFault() {
  return Object.assign(new Error('CHECK constraint failed'), { code: 'ERR_SQLITE_ERROR', errcode: 275 })
}
