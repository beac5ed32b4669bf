import { expect, test } from 'vitest'
import { versionLine, withVersionLine } from './version-line.ts'

test('a script gets a version line below that of Pine', () => {
  const bytes = Buffer.from('//@version=6\nstrategy("RSI")\n')
  const release = { version: '1.2.0', date: '2026-12-01' }
  const versioned = withVersionLine(bytes, release)
  expect(versionLine(bytes)).toBeUndefined()
  expect(versionLine(versioned)).toEqual(release)
  expect(Buffer.from(versioned).toString()).toMatch(/^\/\/@version=6\n\/\/ Version 1\.2\.0/)
})
