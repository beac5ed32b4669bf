import { expect, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { faultOfSqlite, isDamage } from './sqlite-files.ts'

test.each([
  [11, 'SQLITE_CORRUPT', true],
  [779, 'SQLITE_CORRUPT_INDEX', true],
  [26, 'SQLITE_NOTADB', true],
  [5, 'SQLITE_BUSY', false],
  [261, 'SQLITE_BUSY_RECOVERY', false],
  [14, 'SQLITE_CANTOPEN', false],
])('code %i (%s) means damage: %s', (errcode, _, damage) => {
  expect(isDamage(Object.assign(new Error(), { errcode }))).toBe(damage)
})

test('an unreadable path is not reported as a file of another kind', () => {
  expect(() => faultOfSqlite(temporaryFolder())).toThrow(/disk I\/O error|unable to open/)
})
