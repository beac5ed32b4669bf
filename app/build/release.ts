// `npm run package`: writes what runs in production, with nothing left to install, build or compile.
import { execFileSync } from 'node:child_process'
import { copyFile, cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { findPlaceholders, placeholderList } from '#server/configuration/placeholders.ts'
import { buildIfStale } from './build.ts'

const root = join(import.meta.dirname, '../..')

/** It loads the bundle only after the check: an older Node may lack what the bundle imports. */
const startScript = `#!/usr/bin/env node
// "start" serves, "start owner COMMAND" runs an owner's command. It needs Node 26 or newer in PATH and nothing else.
// Everything is written to data/ in the working directory, and settings are read from .env there.
if (Number.parseInt(process.versions.node) >= 26) import('./dist/server.mjs')
else {
  console.error('Node 26 or newer is needed. This is ' + process.version)
  process.exitCode = 1
}
`

const documents = ['.env.example', 'LICENSE', 'CHANGELOG.md']
const folders = ['dist', 'app/server/database/migrations']

if (import.meta.main) {
  await buildIfStale()
  console.log(`Wrote ${relative(root, await writeArchive(join(root, 'release')))}`)
}

/** Writes the release into a folder of its own below `to`, and as the archive beside it, whose path it returns. */
export async function writeArchive(to: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const name = `starter-bot-${version}`
  const folder = join(to, name)
  await rm(folder, { recursive: true, force: true })
  for (const part of folders) await cp(join(root, part), join(folder, part), { recursive: true })
  for (const document of documents) await copyFile(join(root, document), join(folder, document))
  await writeFile(join(folder, placeholderList), JSON.stringify(findPlaceholders(root)))
  await writeFile(join(folder, 'start'), startScript, { mode: 0o755 })
  execFileSync('tar', ['-czf', `${folder}.tar.gz`, '-C', to, name], { stdio: 'inherit' })
  return `${folder}.tar.gz`
}
