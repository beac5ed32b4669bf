import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ownerOf } from '#rigs/owner/owner-commands.ts'
import { openOwnerTerminal, subscribe } from '#rigs/owner/owner-terminal.ts'
import { writeSetting } from '#server/database/settings.ts'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

/** SQLite's own backup would need many steps for it. */
const bigBytes = 10_000_000

describe.skipIf(testsRunOnPostgres)('on SQLite', () => {
  test('a backup of a running server holds its rows', async () => {
    const { database, url, owner } = await openOwnerTerminal()
    await subscribe(database, 'ada@example.com')
    const backup = join(temporaryFolder(), 'backup.db')
    writeFileSync(`${backup}.unfinished`, 'of a backup that was killed')
    expect((await owner('backup', backup)).printed).toBe(
      `${backup} holds a checked copy of ${url.slice('file:'.length)}. ` +
        'It holds addresses: keep it as safe as the database.\n',
    )
    expect(readdirSync(dirname(backup))).toEqual(['backup.db'])
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    expect(addressesIn(backup)).toEqual(['ada@example.com'])
  })

  test('the help says what a backup is, with an example', async () => {
    const { owner } = await openOwnerTerminal()
    const { printed } = await owner('backup', '--help')
    expect(printed).toContain('backup [options] <FILE>')
    expect(printed.replaceAll(/\s+/g, ' ')).toContain(
      'Copy the database into a new file while the server runs, and check the copy',
    )
    expect(printed).toContain('backup data/backup-2026-11-21.db')
  })

  test('a backup never overwrites a file', async () => {
    const { owner } = await openOwnerTerminal()
    const file = join(temporaryFolder(), 'precious')
    writeFileSync(file, 'precious')
    const aside = `${file} exists already; nothing was changed.\n`
    expect(await owner('backup', file)).toEqual({ code: 1, printed: '', aside })
    expect(statSync(file).size).toBe(8)
  })

  test('a copy is checked, and nothing of one with a fault is left', async () => {
    const folder = temporaryFolder()
    const owner = ownerOf(`file:${join(folder, 'other.db')}`)
    const backUp = async () => (await owner('backup', join(folder, 'b.db'))).aside
    expect(await backUp()).toBe(`There is no database at ${join(folder, 'other.db')} yet.\n`)
    new DatabaseSync(join(folder, 'other.db')).close()
    expect(await backUp()).toBe(
      'The copy cannot be restored (it is another database) and was deleted.\n',
    )
    expect(readdirSync(folder)).toEqual(['other.db'])
  })

  test('a backup ends although another process keeps committing', async () => {
    const { database, file, owner } = await openOwnerTerminal()
    await database.transaction((transaction) =>
      writeSetting(transaction, 'big', 'x'.repeat(bigBytes)),
    )
    const server = new DatabaseSync(file!)
    let commits = 0
    let isOver = false
    const commit = () => {
      if (isOver) return server.close()
      server.exec(`pragma user_version = ${(commits += 1)}`)
      setImmediate(commit)
    }
    commit()
    onTestFinished(() => void (isOver = true))
    const backup = join(temporaryFolder(), 'backup.db')
    expect(await owner('backup', backup)).toMatchObject({ code: 0 })
    expect(statSync(backup).size).toBeGreaterThan(bigBytes)
  })
})

function addressesIn(file: string): unknown[] {
  expect(existsSync(file)).toBe(true)
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare('select address from subscribers order by id').all()
  database.close()
  return rows.map(({ address }) => address)
}
