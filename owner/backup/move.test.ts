import { existsSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import {
  addressesIn,
  backedUp,
  mailUnderWay,
  makeBad,
  rowsIn,
  running,
  signUp,
} from '#rigs/owner/backed-up-list.ts'
import { ownerOf } from '#rigs/owner/owner-commands.ts'
import { subscribe } from '#rigs/owner/owner-terminal.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { migrate } from '#server/database/open-database.ts'
import { ownerMigrations } from '../tables/migrations.ts'

describe.skipIf(testsRunOnPostgres)('a move', () => {
  /** A stopped server's backup, with a sign-in and a letter under way, and where it moves to. */
  async function leaving() {
    const { file, backup } = await backedUp('ada@example.com')
    rmSync(backup)
    rowsIn(file, "insert into desk_sessions values ('hash', 'Firefox', 1, 1)")
    await running(file, (database) => mailUnderWay(database))
    await ownerOf(`file:${file}`)('backup', backup)
    const there = join(temporaryFolder(), 'there.db')
    return { file, backup, there, move: (from = backup) => moveTo(there, from) }
  }
  const moveTo = (there: string, from: string) =>
    ownerOf(`file:${there}`)('restore', '--moved', from)

  test('takes everything as it is: sign-ins, unsent mail, a letter under way, and the next number', async () => {
    const { backup, there, move } = await leaving()
    expect(await move()).toEqual({
      code: 0,
      aside: '',
      printed:
        'Everything moves: 1 person, 2 mails, the page, settings and sign-ins. Nothing is held back or undone.\n' +
        `${there} holds all of ${backup} now; start the server.\n`,
    })
    for (const table of ['subscribers', 'deliveries', 'mailings', 'settings', 'desk_sessions']) {
      const rows = `select * from ${table}`
      expect(rowsIn(there, rows), table).toEqual(rowsIn(backup, rows))
    }
    await running(there, (database) => signUp(database, 'new@example.com'))
    expect(rowsIn(there, 'select max(id) as id from subscribers')).toEqual([{ id: 2 }])
  })

  test('is refused where data is, and changes nothing', async () => {
    const { there, move } = await leaving()
    await running(there, async (database) => {
      await migrate(database, ownerMigrations)
      await subscribe(database, 'theirs@example.com')
    })
    expect(await move()).toEqual({
      code: 1,
      printed: '',
      aside: `${there} holds data already: move into an empty database. Nothing was changed.\n`,
    })
    expect(addressesIn(there)).toEqual(['theirs@example.com'])
  })

  test.each(['text', 'damaged', 'of another program'])(
    'is refused where a file is that is %s, which stays',
    async (kind) => {
      const { there, move } = await leaving()
      await running(there, (database) => migrate(database, ownerMigrations))
      makeBad(there, kind)
      const bad = readFileSync(there)
      expect(await move()).toEqual({
        code: 1,
        printed: '',
        aside: `${there} holds data already: move into an empty database. Nothing was changed.\n`,
      })
      expect(readFileSync(there).equals(bad)).toBe(true)
    },
  )

  test.each([
    ['an empty file', (there: string) => writeFile(there, '')],
    [
      'a database without rows',
      (there: string) => running(there, (database) => migrate(database, ownerMigrations)),
    ],
  ])('goes into %s', async (_, prepare) => {
    const { there, move } = await leaving()
    await prepare(there)
    expect(await move()).toMatchObject({ code: 0 })
    expect(addressesIn(there)).toEqual(['ada@example.com'])
  })

  test('is refused while a server uses the file that moves', async () => {
    const { file, there, move } = await leaving()
    await running(file, async (database) => {
      await database.rows(sql`select name from settings`)
      expect(await move(file)).toMatchObject({
        code: 1,
        aside: 'A server is using the database: stop it first. Nothing was changed.\n',
      })
    })
    expect(existsSync(there)).toBe(false)
    expect(await move(file)).toMatchObject({ code: 0 })
  })

  test('of another file is refused with the reason', async () => {
    const { backup, move } = await leaving()
    makeBad(backup, 'text')
    expect((await move()).aside).toBe(
      `${backup} cannot be restored: it is not a SQLite database. Nothing was changed.\n`,
    )
  })
})
