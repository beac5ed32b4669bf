import { expect, test } from 'vitest'
import { answerInTime } from './faults.ts'
import { isDatabaseFault } from './database.ts'

test('a database that does not answer counts as a database error', async () => {
  const fault: unknown = await answerInTime(new Promise(() => {}), 1).catch((cause: unknown) => cause)
  expect(isDatabaseFault(fault)).toBe(true)
})

test('results and errors of the query are passed on', async () => {
  expect(await answerInTime(Promise.resolve('row'))).toBe('row')
  await expect(answerInTime(Promise.reject(new Error('no such table')))).rejects.toThrow('no such table')
})
