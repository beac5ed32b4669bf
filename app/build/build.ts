import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hashOfInputs, writeInputs, notedInputs } from './inputs.ts'

const root = join(import.meta.dirname, '../..')
const dist = join(root, 'dist')

if (import.meta.main && isStale()) await build().catch(reportError)

/** Brings dist/ up to date with the sources. If nothing changed it takes a few milliseconds and loads no build tool. */
export async function buildIfStale(): Promise<void> {
  if (!isStale()) return
  // Builds in a child process: the build tools set NODE_ENV, and their memory is freed when they exit.
  const child = spawn(process.execPath, [import.meta.filename], { cwd: root, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code === 0) return
  console.error('The build failed: see the message above.')
  process.exit(1)
}

function isStale(): boolean {
  return notedInputs(dist) !== hashOfInputs(root)
}

/** A crash leaves dist/ as it was: the new folder is made beside it and renamed when it is complete. */
async function build(): Promise<void> {
  const start = performance.now()
  process.env.NODE_ENV = 'production' // React renders without its development checks
  const { renderEverything } = await import('./render-everything.ts')
  const inputs = hashOfInputs(root)
  const fresh = `${dist}.new-${process.pid}`
  try {
    await renderEverything(root, fresh)
    writeInputs(fresh, inputs)
    await replaceFolder(dist, fresh)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  console.log(`Built dist/ in ${((performance.now() - start) / 1000).toFixed(1)} s`)
}

/** An error in the owner's content is printed as one sentence. Any other error is a bug and keeps its stack trace. */
function reportError(error: unknown): void {
  if (!(error instanceof Error && error.name === 'ContentError')) throw error
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}

async function replaceFolder(folder: string, fresh: string): Promise<void> {
  const old = `${fresh}-old`
  if (existsSync(folder)) await rename(folder, old)
  await rename(fresh, folder)
  await rm(old, { recursive: true, force: true })
}
