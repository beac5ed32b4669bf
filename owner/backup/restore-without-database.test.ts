import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import {
  addressesIn,
  backedUp,
  mailUnderWay,
  makeBad,
  namesBeside,
  rowsIn,
  running,
  signUp,
  statesIn,
} from '#rigs/owner/backed-up-list.ts'
import { ownerNow, ownerOf } from '#rigs/owner/owner-commands.ts'
import { settle, subscribe } from '#rigs/owner/owner-terminal.ts'
import type { Database } from '#server/database/database.ts'
import { migrate } from '#server/database/open-database.ts'
import { readSecret } from '#server/database/settings.ts'
import { eraseSubscriber } from '#server/subscribers/erase-subscriber.ts'
import { ownerMigrations } from '../tables/migrations.ts'

describe.skipIf(testsRunOnPostgres)('when the replaced database tells nothing', () => {
  test('unsent mail is held, the owner is told so, and sends it', async () => {
    const { file, backup, restore } = await backedUp(
      'owed@example.com',
      'sending@example.com',
      'sent@example.com',
    )
    rowsIn(
      backup,
      "update deliveries set state = case id when 2 then 'sending' when 3 then 'sent' else state end",
    )
    rmSync(file)
    expect((await restore()).printed).toBe(
      'What happened since the backup was made is not known: the database it replaces is missing, damaged, from a newer version, or from another site.\n' +
        'Held back, because they may have been sent since: 2 mails. "npm run owner -- deliveries retry held" sends them, some a second time.\n' +
        'Letters sent since are not known: sending the same again mails people twice.\n' +
        'People who unsubscribed or were erased since then are on the list again: unsubscribe or erase them once more.\n' +
        `${file} is the backup now; start the server.\n`,
    )
    const states = (held: string) => [
      `owed@example.com active ${held}`,
      `sending@example.com active ${held}`,
      'sent@example.com active sent',
    ]
    expect(statesIn(file)).toEqual(states('held'))
    expect(await ownerOf(`file:${file}`)('deliveries', 'retry', 'held')).toMatchObject({ code: 0 })
    expect(statesIn(file)).toEqual(states('queued'))
  })

  test('a letter under way ends', async () => {
    const { file, backup, restore } = await backedUp('waits@example.com')
    await running(backup, (database) => mailUnderWay(database))
    rmSync(file)
    expect(await restore()).toMatchObject({ code: 0 })
    expect(rowsIn(file, 'select state from mailings')).toEqual([{ state: 'cancelled' }])
    expect(rowsIn(file, 'select state from deliveries order by id')).toEqual([
      { state: 'held' },
      { state: 'cancelled' },
    ])
  })

  test.each(['text', 'damaged', 'of another program'])(
    'a replaced database that is %s is not read',
    async (kind) => {
      const { file, restore } = await backedUp('owed@example.com')
      await running(file, (database) => settle(database, 1, 'sent'))
      makeBad(file, kind)
      const bad = readFileSync(file)
      expect((await restore()).printed).toContain(
        'What happened since the backup was made is not known',
      )
      expect(statesIn(file)).toEqual(['owed@example.com active held'])
      const [kept] = namesBeside(file)
      expect(readFileSync(join(dirname(file), kept!)).equals(bad)).toBe(true)
    },
  )

  test('a write-ahead log without its database is not applied to the backup', async () => {
    const { file, restore } = await backedUp('before@example.com')
    await running(file, async (database) => {
      await subscribe(database, 'after@example.com')
      copyFileSync(`${file}-wal`, `${file}.log`)
    })
    rmSync(file)
    copyFileSync(`${file}.log`, `${file}-wal`)
    expect(await restore()).toMatchObject({ code: 0 })
    expect(addressesIn(file)).toEqual(['before@example.com'])
  })

  test('another site tells nothing', async () => {
    const { file, restore } = await backedUp('owed@example.com')
    rmSync(file)
    await running(file, async (database) => {
      await migrate(database, ownerMigrations)
      await database.transaction(readSecret)
      for (const name of ['one', 'two']) await subscribe(database, `${name}@example.com`)
      for (const id of [1, 2]) await erase(database, id)
    })
    expect((await restore()).printed).toContain('or from another site')
    expect(statesIn(file)).toEqual(['owed@example.com active held'])
  })

  test('numbers that were given since are not given again', async () => {
    const { file, restore } = await backedUp('before@example.com')
    await running(file, (database) => signUp(database, 'lost@example.com'))
    rmSync(file)
    await restore()
    await running(file, (database) => signUp(database, 'new@example.com'))
    expect(rowsIn(file, 'select max(id) as id from subscribers')).toEqual([{ id: 1_000_002 }])
  })
})

function erase(database: Database, id: number) {
  return database.transaction((transaction) => eraseSubscriber(transaction, id, ownerNow))
}
