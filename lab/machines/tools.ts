import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { Skipped } from '../drills/rig/stage.ts'

const execute = promisify(execFile)

/** Skips the drill on a machine that lacks one of these programs. */
export function needTools(...names: string[]): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new Skipped('it needs root on Linux')
  const missing = names.filter((name) => spawnSync('which', [name]).status !== 0)
  if (missing.length > 0) throw new Skipped(`there is no ${missing.join(', no ')}`)
}

/** Returns what the command printed. Rejects with what it printed when it fails. */
export async function run(command: string, words: readonly string[], cwd?: string): Promise<string> {
  const { stdout } = await execute(command, words, { cwd, maxBuffer: 64 * 1024 * 1024 })
  return stdout.trim()
}

/** Writes a small Debian with these packages as a tar file. */
export async function makeDebian(file: string, packages: readonly string[]): Promise<void> {
  await run('mmdebstrap', ['--variant=minbase', `--include=${packages.join(',')}`, 'bookworm', file])
}
