// `npm run package`: writes what runs in production, with nothing left to install, build or compile.
import { statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { buildIfStale } from '../build.ts'
import { writeArchive } from './write-archive.ts'
import { writeExecutable } from './write-executable.ts'

const root = join(import.meta.dirname, '../../..')
const [kind, ...more] = process.argv.slice(2)
if ((kind !== undefined && kind !== '--executable') || more.length > 0) {
  console.error('Usage: npm run package [-- --executable]')
  process.exit(2)
}
await buildIfStale()
const write = kind === undefined ? writeArchive : writeExecutable
const path = await write(root, join(root, 'release'))
console.log(`Wrote ${relative(root, path)} (${(statSync(path).size / 1_000_000).toFixed(1)} MB)`)
