import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { root } from './product.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Loaded first, it makes run.mjs believe that it runs under an older Node. */
const olderNode = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '22.1.0' })`

export interface Start {
  /** Variables. */
  env?: Record<string, string>
  isOlder?: boolean
}

/**
 * Stands in for npm: installs files for the packages of the lockfile that it was asked for, and
 * this Node as the pinned one.
 */
const npm = `#!/usr/bin/env node
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
const words = process.argv.slice(2)
console.log('npm ' + words.join(' '))
mkdirSync('node_modules', { recursive: true })
const note = (packages) =>
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
if (words[0] === 'ci') {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const isWanted = ([path, { dev }]) => path !== '' && !(dev && words.includes('--omit=dev'))
  mkdirSync('node_modules/react', { recursive: true })
  writeFileSync('node_modules/react/index.js', 'react')
  note(Object.fromEntries(Object.entries(packages).filter(isWanted)))
} else {
  const [name] = words.at(-1).split('@2')
  const pinned = readFileSync(import.meta.dirname + '/run.mjs', 'utf8').split("'" + name + "'")[1]
  const integrity = process.env.INTEGRITY ?? /sha512-[^']+/.exec(pinned)[0]
  note({ ['node_modules/' + name]: { integrity } })
  const folder = 'node_modules/' + name + '/bin'
  mkdirSync(folder, { recursive: true })
  if (process.env.NODE) writeFileSync(folder + '/node', process.env.NODE, { mode: 0o755 })
  else symlinkSync(process.execPath, folder + '/node')
}
`

/**
 * A clone with nothing in it but what starts it, and a stand-in for npm. `instead`: what npm does
 * the first time.
 */
export function project({
  name = 'clone',
  instead,
}: { name?: string; instead?: string } = {}): string {
  const folder = join(temporaryFolder(), name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'npm.mjs'), npm)
  const first =
    instead === undefined ? '' : `[ -e "$0.tried" ] || { touch "$0.tried"; ${instead}; }\n`
  const script = `#!/bin/sh\n${first}exec node "\${0%/*}/npm.mjs" "$@"\n`
  writeFileSync(join(folder, 'npm'), script, { mode: 0o755 })
  for (const file of ['run.mjs', 'install.mjs', 'app/server/settings/env-file.ts']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(root, file), join(folder, file))
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const file of ['start.ts', 'server.ts', 'lab/dev.ts', 'lab/check.ts']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), '')
  }
  writeLockfile(folder, 'sha512-old')
  return folder
}

/** `integrity`: of the one package that a site needs. */
export function writeLockfile(folder: string, integrity: string): void {
  const packages = {
    '': {},
    'node_modules/react': { integrity },
    'node_modules/vitest': { integrity: 'sha512-vitest', dev: true },
    'node_modules/for-another-platform': { integrity: 'sha512-other', optional: true },
  }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
}

/** The stand-in is the npm that is found. */
export function envOf(folder: string, more: Record<string, string> = {}) {
  const path = [folder, dirname(process.execPath), '/usr/bin', '/bin']
  const { NODE_OPTIONS } = process.env
  return { PATH: path.join(delimiter), NODE_OPTIONS, ...more }
}

/** The words before the file to run. */
export function nodeWords(isOlder = false): string[] {
  return isOlder ? ['--import', olderNode, 'run.mjs'] : ['run.mjs']
}

/** Runs a file of the project to its end, by run.mjs. */
export function run(
  folder: string,
  file: string,
  { env, isOlder, words = [] }: Start & { words?: string[] } = {},
) {
  const options = { cwd: folder, env: envOf(folder, env), encoding: 'utf8' } as const
  return spawnSync(process.execPath, [...nodeWords(isOlder), file, ...words], options)
}

/** The sets that it installs before it runs the file. */
export function installs(folder: string, file: string): string[] {
  const { stdout } = run(folder, file)
  return Array.from(
    stdout.matchAll(/^npm ci --include=optional (.*) --no-audit/gm),
    ([, words = '']) => words,
  )
}
