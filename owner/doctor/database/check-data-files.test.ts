import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { migrate } from '#server/database/open-database.ts'
import { running } from '#rigs/owner/backed-up-list.ts'
import { askDoctor } from '#rigs/owner/doctor-terminal.ts'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

const isPosix = process.platform !== 'win32'

describe.skipIf(testsRunOnPostgres || !isPosix)('on SQLite, where files have modes', () => {
  async function databaseIn(folderMode: number, fileMode: number) {
    const folder = join(temporaryFolder(), 'data')
    const file = join(folder, 'bot.db')
    await running(file, migrate)
    chmodSync(file, fileMode)
    chmodSync(folder, folderMode)
    return `file:${file}`
  }

  test.each([
    [0o755, 0o644, '', 'look'],
    [0o755, 0o644, 'production', 'wrong'],
    [0o700, 0o644, 'production', 'ok'],
    [0o755, 0o600, 'production', 'ok'],
  ])(
    'a folder of mode %o with a database of mode %o in "%s" is %s',
    async (folder, file, NODE_ENV, state) => {
      const DATABASE_URL = await databaseIn(folder, file)
      const { of } = await askDoctor({
        environment: { DATABASE_URL, NODE_ENV, SMTP_URL: 'smtp://127.0.0.1:1' },
      })
      expect(of('files.private')).toMatchObject([{ state }])
      expect(of('files.owner')).toMatchObject([{ state: 'ok' }])
    },
  )

  test('a sqlite3 program in PATH that is older than 3.51.3 is named', async () => {
    const sqliteOf = (version: string) => {
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'sqlite3'), `#!/bin/sh\necho "${version} 2026-01-02 03:04:05"\n`, {
        mode: 0o755,
      })
      return folder
    }
    const [old, fixed] = [sqliteOf('3.40.1'), sqliteOf('3.51.3')]
    const said = async (PATH: string) =>
      (await askDoctor({ environment: { PATH } })).said('files.sqlite-library')
    expect(await said(`${fixed}:${old}`)).toBe(`look ${old}/sqlite3 is SQLite 3.40.1, older than 3.51.3.`)
    const link = join(temporaryFolder(), 'bin')
    symlinkSync(old, link)
    expect((await said(`${link}:${old}`)).split('\n')).toHaveLength(1)
    expect(await said(fixed)).toMatch(/^ok /)
    expect(await said('')).toMatch(/^ok /)
  })
})
