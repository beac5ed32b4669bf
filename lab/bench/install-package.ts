import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#rigs/product.ts'

const files = ['package.json', 'package-lock.json'] as const

/** Installs packages that only the bench needs, at their first use, from the lockfile in `source`. */
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
  // npm prints the cause first and the place of its log last.
  const why = error?.message ?? stderr.split('\n').find((line) => line.startsWith('npm error'))
  return { why: `it cannot be installed here (${why}).` }
}

/** True if npm finished (it writes its own record last) with the current lockfile. */
function isInstalled(folder: string, source: string): boolean {
  if (!existsSync(join(folder, 'node_modules/.package-lock.json'))) return false
  return files.every((file) => readFileSync(join(folder, file)).equals(readFileSync(join(source, file))))
}
