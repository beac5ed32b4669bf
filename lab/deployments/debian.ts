import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#rigs/product.ts'

/** Packages with which a bare Debian boots, takes Node 26 and reaches npm. */
const packages = 'systemd-sysv,dbus,libatomic1,ca-certificates'
const cache = join(root, 'node_modules/.cache/starter-bot-deployments')

/** Returns a folder that is kept for the next run. */
export function cachedFolder(name: string): string {
  const folder = join(cache, name)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Returns the archive of a bare Debian. The first run fetches it, which takes a minute or two. */
export function debianArchive(): string {
  const archive = join(cachedFolder('debian'), 'bookworm.tar')
  if (existsSync(archive)) return archive
  const making = `${archive}.${process.pid}.tar`
  execFileSync(
    'mmdebstrap',
    ['--quiet', '--variant=minbase', `--include=${packages}`, 'bookworm', making],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  renameSync(making, archive)
  return archive
}

/** Unpacks the Debian there, with this Node. */
export function unpackDebian(folder: string): void {
  execFileSync('tar', ['-xf', debianArchive(), '-C', folder])
  copyFileSync(process.execPath, join(folder, 'usr/local/bin/node'))
}
