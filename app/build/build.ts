// `node app/build/build.ts`: brings dist/ up to date with the sources.
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { distFolder, hashOfInputs, inputsNote, isBuildStale, projectRoot } from './inputs.ts'
import { writeFiles } from './write-files.ts'

if (isBuildStale()) await build().catch(reportError)

/**
 * Writes a new folder, and puts it in place when it is whole. A build that fails leaves dist/ as it
 * was.
 */
async function build(): Promise<void> {
  const start = performance.now()
  process.env.NODE_ENV = 'production' // React renders without its development checks
  const { renderEverything } = await import('./render-everything.ts')
  const inputs = hashOfInputs(projectRoot)
  const files = await renderEverything(projectRoot, inputs)
  const work = `${distFolder}.${process.pid}`
  const unfinished = join(work, 'dist')
  try {
    await writeFiles(unfinished, { ...files, [inputsNote]: inputs })
    // By renames alone: another process may read it, or build at the same time.
    await rename(distFolder, join(work, 'replaced')).catch(() => {}) // there may be none
    await rename(unfinished, distFolder).catch((fault: unknown) => {
      if (isBuildStale()) throw fault // else another build was first
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
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
