import { expect, test } from 'vitest'
import { CommandError } from '../command-line/command-context.ts'
import { type Check, type CheckContext, NotChecked, subject } from './finding.ts'
import { runCheck } from './run-check.ts'

const about = subject('dns.spf')
const context = {} as CheckContext // these checks do not use it

function run(check: Check, limitMs = 60_000) {
  return runCheck('dns.spf', check, context, limitMs)
}

test('the findings of a check are returned', async () => {
  expect(await run(async () => [about.ok('Fine.')])).toEqual([about.ok('Fine.')])
})

test('a check that hangs is unknown after its time limit', async () => {
  const [finding, ...more] = await run(() => new Promise(() => {}), 20)
  expect(finding).toMatchObject({ id: 'dns.spf', state: 'unknown', why: expect.any(String) })
  expect(finding?.what).toBe('This check had no result after 0.02 s.')
  expect(more).toEqual([])
})

test.each([
  ['throws', () => Promise.reject(new Error('a bug of ours'))],
  [
    'throws at once',
    () => {
      throw new Error('a bug of ours')
    },
  ],
])('a check that %s is unknown', async (_name, check) => {
  const [finding] = await run(check)
  expect(finding).toMatchObject({ id: 'dns.spf', state: 'unknown' })
  expect(finding?.what).toBe('This could not be checked. It failed: a bug of ours')
})

test('an error that the owner can correct is not reported as a bug', async () => {
  const [finding] = await run(() => Promise.reject(new CommandError('There is no database yet.')))
  expect(finding).toEqual(about.unknown('This could not be checked. There is no database yet.'))
})

test('what a check cannot see from here is unknown, with its advice', async () => {
  const [finding] = await run(() => Promise.reject(new NotChecked('The DNS is down.', 'Try again later.')))
  expect(finding).toEqual(about.unknown('The DNS is down.', 'Try again later.'))
})
