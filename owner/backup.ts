import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs'
import type { Config } from '#server/config.ts'
import { copySqlite, copyToDisk, faultOfSqlite, filesOf, openAlone } from '#server/database/sqlite-files.ts'
import { type Call, type Command, Refusal } from './command.ts'
import { sqliteFile } from './owned-database.ts'

export const backupCommands: Command[] = [
  {
    name: 'backup',
    takes: ['FILE'],
    does: 'copies the database into a new FILE while the server runs, and checks the copy',
    run: makeBackup,
  },
  {
    name: 'restore',
    takes: ['FILE'],
    does: 'puts a backup in place of the database of a stopped server; the old one is kept aside',
    run: restore,
  },
]

async function makeBackup({ config, words: [file = ''], write }: Call): Promise<void> {
  const database = ownFile(config, 'back it up with: pg_dump --format=custom --file=FILE "$DATABASE_URL"')
  if (!existsSync(database)) throw new Refusal(`There is no database at ${database} yet.`)
  if (existsSync(file)) throw new Refusal(`${file} exists already; nothing was changed.`)
  const unfinished = `${file}.unfinished`
  rmSync(unfinished, { force: true })
  try {
    await copySqlite(database, unfinished)
    const fault = faultOfSqlite(unfinished)
    if (fault) throw new Refusal(`The copy is not intact (${fault}); it was thrown away.`)
    renameSync(unfinished, file)
  } finally {
    for (const left of filesOf(unfinished)) rmSync(left)
  }
  await write(
    `${file} holds a checked copy of ${database}. It holds addresses: keep it as safe as the database.\n`,
  )
}

async function restore({ config, words: [file = ''], now, write }: Call): Promise<void> {
  const database = ownFile(config, 'restore it with: pg_restore --clean --dbname="$DATABASE_URL" FILE')
  if (!existsSync(file)) throw new Refusal(`There is no file ${file}.`)
  const fault = faultOfSqlite(file)
  if (fault) throw new Refusal(`${file} cannot be restored: ${fault}. Nothing was changed.`)
  const kept = existsSync(database) ? moveAside(database, now()) : undefined
  const unfinished = `${database}.unfinished`
  copyToDisk(file, unfinished)
  chmodSync(unfinished, 0o600)
  renameSync(unfinished, database)
  await write(
    [
      `${database} is the backup now; start the server.`,
      ...(kept ? [`The database it replaces is kept as ${kept}.`] : []),
      'Who was erased since the backup was made is in it again: erase them once more.',
      '',
    ].join('\n'),
  )
}

function moveAside(database: string, now: number): string {
  const alone = openAlone(database)
  if (!alone) throw new Refusal('A server is using the database: stop it first. Nothing was changed.')
  // All of it goes into the one file before it is moved.
  alone.exec('pragma wal_checkpoint(truncate)')
  alone.close()
  const kept = `${database}.before-restore-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
  for (const path of filesOf(database)) renameSync(path, kept + path.slice(database.length))
  return kept
}

function ownFile({ databaseUrl }: Config, instead: string): string {
  const file = sqliteFile(databaseUrl)
  if (file === undefined) throw new Refusal(`The database is PostgreSQL: ${instead}`)
  return file
}
