import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#rigs/product.ts'

const files = ['package.json', 'package-lock.json'] as const

/** At its first use, from its own lockfile in `source`: what only the bench needs, nobody else pays for. */
export function installPackage(
  name: string,
  source: string,
  progress: (line: string) => void,
): { folder: string } | { why: string } {
  const folder = join(root, 'node_modules/.cache', name)
  if (isInstalled(folder, source)) return { folder }
  progress('installing')
  mkdirSync(folder, { recursive: true })
  for (const file of files) copyFileSync(join(source, file), join(folder, file))
  const shell = process.platform === 'win32'
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, stderr, error } = spawnSync('npm', options, { cwd: folder, encoding: 'utf8', shell })
  if (status === 0) return { folder }
  // npm says the cause first, and last where its log is.
  const why = error?.message ?? stderr.split('\n').find((line) => line.startsWith('npm error'))
  return { why: `it cannot be installed here (${why}).` }
}

/** Wholly, as npm writes its own record last, and from the lockfile as it is now. */
function isInstalled(folder: string, source: string): boolean {
  if (!existsSync(join(folder, 'node_modules/.package-lock.json'))) return false
  return files.every((file) => readFileSync(join(folder, file)).equals(readFileSync(join(source, file))))
}
