import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { holdsTrace } from './sqlite-jobs.ts'

const megabyte = 1024 * 1024

test.each([0, 1, megabyte - 3, megabyte, megabyte + 5, 2 * megabyte - 1, 3 * megabyte - 5])(
  'a trace is found at byte %d, also across two chunks',
  (at) => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, Buffer.concat([Buffer.alloc(at), Buffer.from('trace'), Buffer.alloc(10)]))
    expect(holdsTrace(file, ['other', 'trace'])).toBe(true)
    expect(holdsTrace(file, ['other', 'tracing', 'Trace'])).toBe(false)
  },
)

test('a missing or empty file holds no trace', () => {
  const file = join(temporaryFolder(), 'file')
  expect(holdsTrace(file, ['trace'])).toBe(false)
  writeFileSync(file, '')
  expect(holdsTrace(file, ['trace'])).toBe(false)
})
