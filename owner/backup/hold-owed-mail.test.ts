import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { openOwnerTerminal, subscribe } from '#rigs/owner/owner-terminal.ts'
import { deliveryStates } from '#rigs/server/rows.ts'

const script = join(import.meta.dirname, '../../docs/operations/hold-owed-mail.sql')

test.skipIf(!testsRunOnPostgres)(
  '(PostgreSQL only) after pg_restore unsent mail is held until the owner sends it',
  async () => {
    const { database, owner } = await openOwnerTerminal()
    await subscribe(database, 'sent@example.com', 'sent')
    await subscribe(database, 'owed@example.com')
    await database.script(readFileSync(script, 'utf8'))
    expect(await deliveryStates(database)).toEqual(['sent', 'held'])
    expect(await owner('deliveries', 'retry', 'held')).toMatchObject({ code: 0 })
    expect(await deliveryStates(database)).toEqual(['sent', 'queued'])
  },
)
