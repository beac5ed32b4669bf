// `node app/build/build.ts`: brings dist/ up to date with the sources.
import { rename, rm } from 'node:fs/promises'
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
  const files = await renderEverything(projectRoot)
  const unfinished = `${distFolder}.${process.pid}`
  try {
    await writeFiles(unfinished, { ...files, [inputsNote]: inputs })
    await rm(distFolder, { recursive: true, force: true })
    await rename(unfinished, distFolder)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
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
