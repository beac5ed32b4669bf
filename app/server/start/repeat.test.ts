import { expect, onTestFinished, test } from 'vitest'
import { repeat } from './repeat.ts'

test('runs go one after the other, and of many that are asked for meanwhile one follows', async () => {
  const gate = Promise.withResolvers<void>()
  let [begun, ended] = [0, 0]
  const { run, stop } = repeat(60_000, async () => {
    begun += 1
    await gate.promise
    ended += 1
  })
  onTestFinished(() => stop(0))
  run()
  await Promise.resolve()
  run()
  run()
  expect([begun, ended]).toEqual([1, 0])
  gate.resolve()
  await stop(1_000)
  expect([begun, ended]).toEqual([2, 2])
})

test('a stop ends the repeating, and waits no longer than its grace', async () => {
  let begun = 0
  const { stop } = repeat(10, () => {
    begun += 1
    return new Promise(() => {})
  })
  await expect.poll(() => begun).toBe(1)
  await stop(20)
  expect(begun).toBe(1)
})
