import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { holdsTrace } from './sqlite-jobs.ts'

const megabyte = 1024 * 1024

test.each([0, 1, megabyte - 3, megabyte, megabyte + 5, 2 * megabyte - 1, 3 * megabyte - 5])(
  'a trace is found at byte %d, also across two chunks, and again',
  (at) => {
    const file = openFile(Buffer.concat([Buffer.alloc(at), Buffer.from('trace'), Buffer.alloc(10)]))
    expect(holdsTrace(file, ['other', 'trace'])).toBe(true)
    expect(holdsTrace(file, ['other', 'tracing', 'Trace'])).toBe(false)
    expect(holdsTrace(file, ['other', 'trace'])).toBe(true)
  },
)

test('an empty file holds no trace', () => {
  expect(holdsTrace(openFile(''), ['trace'])).toBe(false)
})

function openFile(content: Buffer | string): number {
  const path = join(temporaryFolder(), 'file')
  writeFileSync(path, content)
  const file = openSync(path, 'r')
  onTestFinished(() => closeSync(file))
  return file
}
