import { existsSync, renameSync } from 'node:fs'
import { copySqlite, faultOfSqlite, removeFiles } from '#owner/backup/sqlite-files.ts'
import { type Call, type Command, Refusal } from '../command-line/command.ts'
import { ownFile } from '../command-line/owned-database.ts'
import { restore } from './restore.ts'

export const backupCommands: Command[] = [
  {
    name: 'backup',
    takes: ['FILE'],
    does: 'copies the database into a new FILE while the server runs, and checks the copy',
    example: 'backup data/backup-2026-11-21.db',
    run: makeBackup,
  },
  restore,
]

async function makeBackup({ config, words: [file = ''], write }: Call): Promise<void> {
  const database = ownFile(config, 'back it up with: pg_dump --format=custom --file=FILE "$DATABASE_URL"')
  if (!existsSync(database)) throw new Refusal(`There is no database at ${database} yet.`)
  if (existsSync(file)) throw new Refusal(`${file} exists already; nothing was changed.`)
  const unfinished = `${file}.unfinished`
  removeFiles(unfinished)
  try {
    copySqlite(database, unfinished)
    const fault = faultOfSqlite(unfinished)
    if (fault) throw new Refusal(`The copy is not intact (${fault}); it was thrown away.`)
    renameSync(unfinished, file)
  } finally {
    removeFiles(unfinished)
  }
  await write(
    `${file} holds a checked copy of ${database}. It holds addresses: keep it as safe as the database.\n`,
  )
}
