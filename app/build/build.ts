import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hashOfInputs, inputsNote, notedInputs } from './inputs.ts'
import { writeFiles } from './write-files.ts'

const root = join(import.meta.dirname, '../..')
const dist = join(root, 'dist')

if (import.meta.main && isStale()) await build().catch(reportError)

/**
 * Brings dist/ up to date with the sources. If nothing changed it takes a few milliseconds and
 * loads no build tool.
 */
export async function buildIfStale(): Promise<void> {
  if (!isStale()) return
  // Builds in a child process: the build tools set NODE_ENV, and their memory is freed when they
  // exit.
  const child = spawn(process.execPath, [import.meta.filename], { cwd: root, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code === 0) return
  console.error('The build failed: see the message above.')
  process.exit(1)
}

function isStale(): boolean {
  return notedInputs(dist) !== hashOfInputs(root)
}

/**
 * Writes nothing before all is rendered, and the note of the inputs last: after a crash the next
 * start builds again.
 */
async function build(): Promise<void> {
  const start = performance.now()
  process.env.NODE_ENV = 'production' // React renders without its development checks
  const { renderEverything } = await import('./render-everything.ts')
  const inputs = hashOfInputs(root)
  const files = await renderEverything(root)
  await rm(dist, { recursive: true, force: true })
  await writeFiles(dist, { ...files, [inputsNote]: inputs })
  console.log(`Built dist/ in ${((performance.now() - start) / 1000).toFixed(1)} s`)
}

/**
 * An error in the owner's content is printed as one sentence. Any other error is a bug and keeps
 * its stack trace.
 */
function reportError(error: unknown): void {
  if (!(error instanceof Error && error.name === 'ContentError')) throw error
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
