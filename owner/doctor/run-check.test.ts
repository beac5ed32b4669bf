import { expect, test } from 'vitest'
import { Refusal } from '../command-line/command.ts'
import { type Check, type Means, subject } from './finding.ts'
import { runCheck } from './run-check.ts'

const about = subject('a.b', 'why')
const means = {} as Means // these checks look at nothing

function run(look: Check['look'], limitMs = 60_000) {
  return runCheck({ about, look, limitMs }, means)
}

test('what a check finds is what it found', async () => {
  expect(await run(async () => [about.ok('Fine.')])).toEqual([about.ok('Fine.')])
})

test('a check that hangs is given up, and unknown', async () => {
  const [finding, ...more] = await run(() => new Promise(() => {}), 20)
  expect(finding).toMatchObject({ id: 'a.b', state: 'unknown', why: 'why' })
  expect(finding?.what).toBe('This was given up after 0.02 s without a result.')
  expect(more).toEqual([])
})

test.each([
  ['throws', () => Promise.reject(new Error('a fault of ours'))],
  [
    'throws at once',
    () => {
      throw new Error('a fault of ours')
    },
  ],
])('a check that %s is unknown, and no crash', async (_name, look) => {
  const [finding] = await run(look)
  expect(finding).toMatchObject({ id: 'a.b', state: 'unknown' })
  expect(finding?.what).toBe('This could not be looked at. It failed: a fault of ours')
})

test('what the owner can mend is no fault to report', async () => {
  const [finding] = await run(() => Promise.reject(new Refusal('There is no database yet.')))
  expect(finding).toEqual(about.unknown('This could not be looked at. There is no database yet.'))
})
