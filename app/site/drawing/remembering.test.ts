import { expect, test } from 'vitest'
import { remembering } from './remembering.ts'

function counted(count: number) {
  const drawn: string[] = []
  const draw = remembering(count, async (name: string, width: number) => {
    drawn.push(`${name} ${width}`)
    if (name === 'broken') throw new Error('it does not fit')
    return Buffer.from(name)
  })
  return { draw, drawn }
}

test('what shows the same is drawn once, and what differs in anything again', async () => {
  const { draw, drawn } = counted(4)
  for (const width of [1, 2, 1]) expect((await draw('a', width)).toString()).toBe('a')
  expect(drawn).toEqual(['a 1', 'a 2'])
})

test('of more drawings the one that was used longest ago goes', async () => {
  const { draw, drawn } = counted(2)
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await draw(name, 1)
  expect(drawn).toEqual(['a 1', 'b 1', 'c 1', 'b 1'])
})

test('a drawing that failed is tried again', async () => {
  const { draw, drawn } = counted(2)
  for (const _ of [1, 2]) await expect(draw('broken', 1)).rejects.toThrow('does not fit')
  expect(drawn).toHaveLength(2)
})
