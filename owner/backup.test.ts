import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/database/open-database.ts'
import { openOwnerTerminal, ownerOf, subscribe } from '#testing/owner-terminal.ts'
import { testsRunOnPostgres } from '#testing/temporary-database.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'

test.skipIf(!testsRunOnPostgres)('on PostgreSQL its own tool is named instead', async () => {
  const { owner } = await openOwnerTerminal()
  expect(await owner('backup', 'b.db')).toMatchObject({ code: 1, aside: expect.stringContaining('pg_dump') })
})

describe.skipIf(testsRunOnPostgres)('on SQLite', () => {
  test('a backup is made while the server has the database open, and holds what it held', async () => {
    const { database, owner } = await openOwnerTerminal()
    await subscribe(database, 'ada@example.com')
    const backup = join(temporaryFolder(), 'backup.db')
    expect(await owner('backup', backup)).toMatchObject({ code: 0 })
    expect(readdirSync(dirname(backup))).toEqual(['backup.db'])
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    expect(addressesIn(backup)).toEqual(['ada@example.com'])
  })

  test('a backup goes over no file that is there', async () => {
    const { owner } = await openOwnerTerminal()
    const file = join(temporaryFolder(), 'precious')
    writeFileSync(file, 'precious')
    expect(await owner('backup', file)).toMatchObject({ code: 1 })
    expect(statSync(file).size).toBe(8)
  })

  test('a restored backup takes the place of the database, which is kept aside', async () => {
    const { stopped, backup, owner } = await stoppedServerWithBackup()
    expect(await owner('restore', backup)).toMatchObject({ code: 0 })
    expect(addressesIn(stopped)).toEqual(['before@example.com'])
    const kept = readdirSync(dirname(stopped)).filter((name) => name.includes('before-restore'))
    expect(kept).toEqual(['test.db.before-restore-2026-01-02T03-04-05-000Z'])
    expect(addressesIn(join(dirname(stopped), kept[0]!))).toEqual(['before@example.com', 'after@example.com'])
  })

  test('nothing is restored under a running server', async () => {
    const { stopped, backup, owner } = await stoppedServerWithBackup()
    const server = await openDatabase(`file:${stopped}`)
    onTestFinished(() => server.close())
    await server.query.selectFrom('settings').selectAll().execute()
    expect(await owner('restore', backup)).toEqual({
      code: 1,
      printed: '',
      aside: 'A server is using the database: stop it first. Nothing was changed.\n',
    })
    expect(addressesIn(stopped)).toContain('after@example.com')
  })

  test.each([
    ['text', 'it is no SQLite database'],
    ['of another program', 'it is another database'],
    ['damaged', 'it is damaged'],
  ])('a file that is %s is not restored', async (kind, why) => {
    const { stopped, owner } = await stoppedServerWithBackup()
    const file = join(temporaryFolder(), 'file')
    makeBad(file, kind, stopped)
    const { code, aside } = await owner('restore', file)
    expect(code).toBe(1)
    expect(aside).toBe(`${file} cannot be restored: ${why}. Nothing was changed.\n`)
    expect(addressesIn(stopped)).toContain('after@example.com')
  })
})

const pageBytes = 4096 // SQLite's

async function stoppedServerWithBackup() {
  const { database, file, owner } = await openOwnerTerminal()
  const stopped = file!
  await subscribe(database, 'before@example.com')
  const backup = join(temporaryFolder(), 'backup.db')
  await owner('backup', backup)
  await subscribe(database, 'after@example.com')
  await database.close()
  database.close = async () => {} // for the end of the test, which closes it too
  return { stopped, backup, owner: ownerOf(`file:${stopped}`) }
}

function makeBad(file: string, kind: string, good: string) {
  if (kind === 'text') return writeFileSync(file, 'not a database, but long enough to be one'.repeat(50))
  if (kind === 'damaged') {
    const bytes = readFileSync(good)
    writeFileSync(file, bytes.fill(0, 4 * pageBytes, 6 * pageBytes))
    return
  }
  const database = new DatabaseSync(file)
  database.exec('create table t (a)')
  database.close()
}

function addressesIn(file: string): unknown[] {
  expect(existsSync(file)).toBe(true)
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare('select address from subscribers order by id').all()
  database.close()
  return rows.map(({ address }) => address)
}
