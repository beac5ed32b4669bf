import { execFile } from 'node:child_process'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Config } from '#server/configuration/config.ts'
import { ownerCommand } from '#server/configuration/project-files.ts'
import { inboxFolder } from '#server/transports/open-mailer.ts'
import { filesOf } from '../../backup/sqlite-files.ts'
import { sqliteFile } from '../../command-line/owned-database.ts'
import type { CheckContext, Checks, Outcome, Subject } from '../finding.ts'

/** Windows has access control lists in place of modes and owners. */
export const dataFileChecks: Checks = {
  'files.private': ({ config }, about) => {
    if (process.platform === 'win32') return []
    const open = dataFiles(config).filter((path) => isOpenToOthers(path) && isOpenToOthers(dirname(path)))
    if (open.length === 0) return about.ok('Only one account can read the data files.')
    return (config.production ? about.wrong : about.look)(
      `Other accounts can reach ${open.join(', ')}.`,
      `chmod -R go= ${open.join(' ')}`,
    )
  },

  'files.owner': ({ config }, { ok, look, wrong }) => {
    const files = dataFiles(config)
    const uids = new Set(files.map((path) => statSync(path).uid))
    const self = process.getuid?.() ?? 0
    if (process.platform === 'win32' || files.length === 0) return []
    if (uids.size > 1)
      return wrong(`${files.join(', ')} belong to several accounts.`, "chown them to the server's user.")
    // root reads everything, so it may run the doctor for another account.
    if (self === 0 || uids.has(self)) return ok('The data files belong to one account.')
    return look(
      'The data files belong to another account than the one that runs the doctor.',
      'Run the doctor and every other command as the user of the server.',
    )
  },

  'files.sqlite-library': checkLibraries,
}

const ofOthers = 0o077

function isOpenToOthers(path: string): boolean {
  return (statSync(path).mode & ofOthers) !== 0
}

function dataFiles(config: Config): string[] {
  const database = sqliteFile(config.databaseUrl)
  const inbox = inboxFolder(config.databaseUrl)
  return [
    ...(database === undefined ? [] : filesOf(database)),
    ...(config.hasLocalInbox && existsSync(inbox) ? [inbox] : []),
    ...(config.dkim && existsSync(config.dkim.privateKeyFile) ? [config.dkim.privateKeyFile] : []),
  ]
}

const fixedIn = '3.51.3'

/** Owners open the file with the `sqlite3` of their system, which is often older than the library in Node. */
async function checkLibraries({ config, environment }: CheckContext, library: Subject): Promise<Outcome> {
  if (sqliteFile(config.databaseUrl) === undefined) return []
  const places = (environment['PATH'] ?? '').split(delimiter).filter(Boolean)
  const programs = places.map((place) => join(place, 'sqlite3')).filter((path) => existsSync(path))
  const found = await Promise.all(
    withoutLinks(programs).map(async (path) => ({ path, version: await versionOf(path) })),
  )
  const older = found.filter(({ version }) => version !== undefined && isOlder(version, fixedIn))
  if (older.length === 0)
    return library.ok(
      `No SQLite older than ${fixedIn} is in PATH; the server has ${process.versions.sqlite}.`,
    )
  return older.map(({ path, version }) =>
    library.look(
      `${path} is SQLite ${version}, older than ${fixedIn}.`,
      `Never open the live database with it. Look at a copy: ${ownerCommand} backup FILE.`,
    ),
  )
}

/** On many systems /bin is a link to /usr/bin. */
function withoutLinks(paths: readonly string[]): string[] {
  return [...new Map(paths.map((path) => [realpathSync(path), path])).values()]
}

const run = promisify(execFile)

/** Resolves to undefined if the program does not say. */
async function versionOf(program: string): Promise<string | undefined> {
  const { stdout } = await run(program, ['--version'], { timeout: 5_000 }).catch(() => ({ stdout: '' }))
  return /^(\d+\.\d+\.\d+)\b/.exec(stdout)?.[1]
}

function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0
}
