import { expect, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { faultOfSqlite } from './sqlite-files.ts'

test('an unreadable path is not reported as a file of another kind', () => {
  expect(() => faultOfSqlite(temporaryFolder())).toThrow(/disk I\/O error|unable to open/)
})
