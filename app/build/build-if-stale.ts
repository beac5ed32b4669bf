import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { isBuildStale, projectRoot } from './inputs.ts'

/**
 * Brings dist/ up to date with the sources. If nothing changed it takes a few milliseconds and
 * loads no build tool.
 */
export async function buildIfStale(): Promise<void> {
  if (!isBuildStale()) return
  // Builds in a child process: the build tools set NODE_ENV, and their memory is freed when they
  // exit.
  const program = join(import.meta.dirname, 'build.ts')
  const child = spawn(process.execPath, [program], { cwd: projectRoot, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code === 0) return
  console.error('The build failed: see the message above.')
  process.exit(1)
}
