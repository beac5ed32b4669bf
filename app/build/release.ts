// `npm run package`: writes what runs in production, with nothing left to install, build or
// compile.
import { join, relative } from 'node:path'
import { buildIfStale } from './build-if-stale.ts'
import { projectRoot } from './inputs.ts'
import { writeArchive } from './write-archive.ts'

const [unexpected] = process.argv.slice(2)
if (unexpected !== undefined) {
  console.error(`Unexpected argument "${unexpected}".\n\nUsage: npm run package`)
  process.exit(2)
}
await buildIfStale()
console.log(`Wrote ${relative(projectRoot, await writeArchive(join(projectRoot, 'release')))}`)
