import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openOwnerTerminal, subscribe } from '#rigs/owner/owner-terminal.ts'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { unsentAtBackup } from './carry-over.ts'

const script = join(import.meta.dirname, '../../docs/operations/hold-owed-mail.sql')

test.skipIf(!testsRunOnPostgres)(
  '(PostgreSQL only) after pg_restore unsent mail is not sent automatically',
  async () => {
    const { database, owner } = await openOwnerTerminal()
    await subscribe(database, 'sent@example.com', 'sent')
    await subscribe(database, 'owed@example.com')
    await database.query
      .insertInto('settings')
      .values({ name: 'unopened-counted-since', value: '5' })
      .execute()
    await database.runScript(readFileSync(script, 'utf8'))
    const states = await database.query
      .selectFrom('deliveries')
      .innerJoin('subscribers', 'subscribers.id', 'deliveries.subscriber')
      .select(['address', 'deliveries.state', 'subscribers.state as subscriber', 'last_fault'])
      .orderBy('deliveries.id')
      .execute()
    expect(states).toEqual([
      { address: 'sent@example.com', state: 'sent', subscriber: 'active', last_fault: null },
      {
        address: 'owed@example.com',
        state: 'failed',
        subscriber: 'undeliverable',
        last_fault: unsentAtBackup,
      },
    ])
    const { value } = await database.query
      .selectFrom('settings')
      .select('value')
      .where('name', '=', 'unopened-counted-since')
      .executeTakeFirstOrThrow()
    expect(value).toMatch(/^\d{13}$/)
    const retried = await owner('deliveries', 'retry', 'failed')
    expect(retried.printed).toBe('1 failed delivery is queued again.\n')
  },
)
