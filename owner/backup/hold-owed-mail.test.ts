import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { openOwnerTerminal, subscribe } from '#rigs/owner/owner-terminal.ts'
import { deliveryStates } from '#rigs/server/rows.ts'

const script = readFileSync(
  join(import.meta.dirname, '../../docs/operations/hold-owed-mail.sql'),
  'utf8',
)

test.skipIf(!testsRunOnPostgres)(
  '(PostgreSQL only) after pg_restore unsent mail is held until the owner sends it',
  async () => {
    const { database, owner } = await openOwnerTerminal()
    await subscribe(database, 'sent@example.com', 'sent')
    await subscribe(database, 'owed@example.com')
    await database.script(script)
    expect(await deliveryStates(database)).toEqual(['sent', 'held'])
    expect(await owner('deliveries', 'retry', 'held')).toMatchObject({ code: 0 })
    expect(await deliveryStates(database)).toEqual(['sent', 'queued'])
  },
)

test.skipIf(!testsRunOnPostgres)(
  '(PostgreSQL only) after pg_restore nobody is signed in at the desk, and removed passkeys are not back',
  async () => {
    const { database } = await openOwnerTerminal()
    await database.script(`
      insert into desk_sessions values ('h', 'Firefox', 1, 1);
      insert into desk_secrets values ('h', 'code', 'v', 3, 1);
      insert into desk_passkeys values ('p', 'k', 0, 'Laptop', 1, null)`)
    await database.script(script)
    expect(
      await database.rows(sql`
        select hash from desk_sessions union all select hash from desk_secrets
        union all select id from desk_passkeys`),
    ).toEqual([])
  },
)

test.skipIf(!testsRunOnPostgres)(
  '(PostgreSQL only) after pg_restore numbers that were given since are not given again',
  async () => {
    const { database } = await openOwnerTerminal()
    await subscribe(database, 'before@example.com')
    await database.script(script)
    await subscribe(database, 'new@example.com')
    const newest = await database.row<{ id: number }>(sql`select max(id) as id from subscribers`)
    expect(newest!.id).toBeGreaterThan(1_000_000)
  },
)
