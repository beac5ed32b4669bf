import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '#server/configuration/config.ts'
import { inboxFolder } from '#server/transports/open-mailer.ts'
import { filesOf } from '../../backup/sqlite-files.ts'
import { sqliteFile } from '../../command-line/owned-database.ts'
import type { CheckContext, Outcome, Subject } from '../finding.ts'

const ofOthers = 0o077

/** Windows has access control lists in place of modes and owners. */
export function checkFiles({ config }: CheckContext, { ok, look, wrong }: Subject): Outcome {
  const files = dataFiles(config)
  if (process.platform === 'win32' || files.length === 0) return []
  const open = files.filter((path) => isOpenToOthers(path) && isOpenToOthers(dirname(path)))
  if (open.length > 0)
    return (config.production ? wrong : look)(
      `Other accounts can reach ${open.join(', ')}.`,
      `chmod -R go= ${open.join(' ')}`,
    )
  if (new Set(files.map((path) => statSync(path).uid)).size > 1)
    return wrong(
      `${files.join(', ')} belong to several accounts, and the server cannot write to those of another.`,
      "chown them to the server's user, and run owner's commands as that user.",
    )
  return ok('One account owns the data files, and only it can read them.')
}

function isOpenToOthers(path: string): boolean {
  return (statSync(path).mode & ofOthers) !== 0
}

function dataFiles({ databaseUrl, hasLocalInbox, dkim }: Config): string[] {
  const database = sqliteFile(databaseUrl)
  const inbox = inboxFolder(databaseUrl)
  return [
    ...(database === undefined ? [] : filesOf(database)),
    ...(hasLocalInbox && existsSync(inbox) ? [inbox] : []),
    ...(dkim && existsSync(dkim.privateKeyFile) ? [dkim.privateKeyFile] : []),
  ]
}
