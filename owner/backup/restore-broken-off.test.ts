import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { putInPlace } from './backup-commands.ts'

test('when the last step fails, the database keeps its name and log, and has no second name', () => {
  const folder = temporaryFolder()
  const database = join(folder, 'test.db')
  writeFileSync(database, 'rows')
  writeFileSync(`${database}-wal`, 'newer rows')
  expect(() => putInPlace(join(folder, 'missing'), database, join(folder, 'kept'))).toThrow('ENOENT')
  expect(readdirSync(folder).toSorted()).toEqual(['test.db', 'test.db-wal'])
  expect(readFileSync(`${database}-wal`, 'utf8')).toBe('newer rows')
})
