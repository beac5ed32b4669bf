import { expect, test } from 'vitest'
import { answerInTime, isDatabaseFault } from './faults.ts'

test('a database that is mute is one that is away', async () => {
  const fault: unknown = await answerInTime(new Promise(() => {}), 1).catch((cause: unknown) => cause)
  expect(isDatabaseFault(fault)).toBe(true)
})

test('what it answers, and what it says is wrong, is passed on', async () => {
  expect(await answerInTime(Promise.resolve('row'))).toBe('row')
  await expect(answerInTime(Promise.reject(new Error('no such table')))).rejects.toThrow('no such table')
})
