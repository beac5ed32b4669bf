import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isBuildStale, projectRoot } from './inputs.ts'

/**
 * Brings dist/ up to date with the sources. If nothing changed it takes a few milliseconds and
 * loads no build tool.
 */
export async function buildIfStale(): Promise<void> {
  if (!isBuildStale()) return
  if ((await runBuild()) === 0) return
  console.error('The build failed: see the message above.')
  process.exit(1)
}

/**
 * Runs the build in a process of its own, because its tools set NODE_ENV, and their memory is freed
 * when they exit. Returns its exit code.
 */
async function runBuild(): Promise<number> {
  using atTheEnd = new DisposableStack()
  const root = plainPath(projectRoot, atTheEnd)
  const options = [
    '--preserve-symlinks',
    '--preserve-symlinks-main',
    '--disable-warning=ExperimentalWarning', // of Node before 24.15
  ]
  const child = spawn(process.execPath, [...options, join(root, 'app/build/build.ts')], {
    cwd: root,
    stdio: 'inherit',
  })
  const end = () => void child.kill()
  process.once('exit', end) // a start that is stopped
  atTheEnd.defer(() => process.off('exit', end))
  const [code] = await once(child, 'exit')
  return code
}

/** A path without # or ?, at which Vite would cut it off: a link, if this one has any. */
function plainPath(path: string, atTheEnd: DisposableStack): string {
  if (!/[#?]/.test(path)) return path
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-build-'))
  atTheEnd.defer(() => rmSync(folder, { recursive: true }))
  const link = join(folder, 'clone')
  symlinkSync(path, link, 'junction') // Windows lets every user make one
  return link
}
