import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { newDatabase } from '#rigs/database/postgres-server.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'

/**
 * What PostgreSQL says to the statements of the product that the tests sent to SQLite alone: it is
 * asked to prepare each. `folder`: where note-statements.ts noted them.
 */
export async function statementFaults(folder: string, serverUrl: string): Promise<string[]> {
  const url = await newDatabase(serverUrl)
  const database = await openDatabase(url)
  await migrate(database, ownerMigrations)
  await database.close()
  const client = new Client({ connectionString: url })
  await client.connect()
  const faults: string[] = []
  for (const text of statementsOfSqliteAlone(folder)) {
    const fault = await client.query(`prepare one as ${text}`).then(
      () => client.query('deallocate one').then(() => undefined),
      ({ message }: Error) => message,
    )
    if (fault !== undefined) faults.push(`${fault}: ${text}`)
  }
  await client.end()
  return faults
}

/** With PostgreSQL's placeholders. */
function statementsOfSqliteAlone(folder: string): string[] {
  const alone = notedIn(folder, 'sqlite').difference(notedIn(folder, 'postgres'))
  return Array.from(alone, (text) => {
    let number = 0
    return text.replaceAll('?', () => `$${(number += 1)}`)
  })
}

/** Queries and changes, in one spelling. Only PostgreSQL needs to skip locked rows. */
function notedIn(folder: string, engine: 'sqlite' | 'postgres'): Set<string> {
  const file = join(folder, engine)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  const texts = lines.map((line) =>
    String(JSON.parse(line))
      .replaceAll(/\$\d+/g, '?')
      .replace(/for update skip locked/, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
  return new Set(texts.filter((text) => /^(?:select|insert|update|delete|with)\b/i.test(text)))
}
