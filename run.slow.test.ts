import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

const site = '--omit=dev'
const everything = '--include=dev'
/** Loaded first, it makes run.mjs believe that it runs under an older Node. */
const olderNode = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '22.1.0' })`

interface Start {
  /** Variables. */
  env?: Record<string, string>
  isOlder?: boolean
}

// Windows has neither signals nor shell scripts.
describe.skipIf(process.platform === 'win32')('run.mjs', () => {
  test('installs production packages for a start, and everything for a test', () => {
    const folder = project()
    expect(installs(folder, 'start.ts')).toEqual([site])
    expect(installs(folder, 'server.ts')).toEqual([])
    expect(installs(folder, 'lab/check.ts')).toEqual([everything])
    expect(installs(folder, 'start.ts')).toEqual([])
  })

  test('installs again when the lockfile names another package', () => {
    const folder = project()
    run(folder, 'lab/check.ts')
    writeLockfile(folder, 'sha512-new')
    expect(installs(folder, 'start.ts')).toEqual([site])
  })

  test('installs nothing in a tree that npm ci has installed by hand', () => {
    const folder = project()
    spawnSync(join(folder, 'npm'), ['ci'], { cwd: folder, env: envOf(folder) })
    expect(installs(folder, 'start.ts')).toEqual([])
    expect(installs(folder, 'lab/check.ts')).toEqual([])
  })

  test('installs again after an installation that was interrupted', () => {
    const folder = project('exit 1')
    expect(run(folder, 'start.ts')).toMatchObject({ status: 1 })
    expect(installs(folder, 'start.ts')).toEqual([site])
  })

  test('runs the file in its own process under Node 24 or newer, and fetches no Node', () => {
    const folder = project()
    writeFileSync(
      join(folder, 'start.ts'),
      'console.log(`ran ${process.pid} ${process.argv.slice(1)}`)',
    )
    const { stdout, pid } = run(folder, 'start.ts', { words: ['owner', '--help'] })
    expect(stdout).toContain(`ran ${pid} ${join(folder, 'start.ts')},owner,--help`)
    expect(stdout).not.toContain('npm install')
  })

  test('fetches the pinned Node once under an older one, beside the packages, and runs the file there', () => {
    const folder = project()
    writeFileSync(join(folder, 'start.ts'), 'console.log(`ran ${process.argv.slice(1)}`)')
    const first = run(folder, 'start.ts', { isOlder: true, words: ['owner'] })
    expect(first.stdout).toMatch(/npm install --prefix .*\.fetched.* node-[\w-]+@26\.10\.0/)
    expect(first.stdout).toContain('npm ci')
    expect(first.stdout).toContain(`ran ${join(folder, 'start.ts')},owner`)
    const second = run(folder, 'start.ts', { isOlder: true })
    expect(second.stdout).not.toContain('npm')
    expect(second.stdout).toContain('ran')
  })

  test('runs no Node whose hash is another than the one in run.mjs', () => {
    const folder = project()
    const env = { INTEGRITY: 'sha512-another' }
    for (const attempt of [1, 2]) {
      const { status, stdout, stderr } = run(folder, 'start.ts', { isOlder: true, env })
      expect([attempt, status, stderr]).toEqual([attempt, 1, expect.stringContaining('hash')])
      expect(stdout).toContain('npm install')
    }
  })

  test('reads .env for the server, its development and the owner; a variable that is already set wins', () => {
    const folder = project()
    writeFileSync(join(folder, '.env'), 'PORT=4000\nHOST=from-file\n')
    const printed = ['start.ts', 'lab/dev.ts', 'server.ts', 'lab/check.ts'].map((file) => {
      writeFileSync(join(folder, file), 'console.log("read", process.env.PORT, process.env.HOST)')
      return /^read .*$/m.exec(run(folder, file, { env: { HOST: 'set' } }).stdout)?.[0]
    })
    expect(printed).toEqual([
      'read 4000 set',
      'read 4000 set',
      'read 4000 set',
      'read undefined set',
    ])
  })

  test.each<{ signal: NodeJS.Signals; isOlder: boolean }>([
    { signal: 'SIGTERM', isOlder: true },
    { signal: 'SIGHUP', isOlder: true },
    { signal: 'SIGTERM', isOlder: false },
    { signal: 'SIGHUP', isOlder: false },
  ])('lets the server end by itself at $signal (older Node: $isOlder)', async (options) => {
    const child = await startServer(options)
    child.kill(options.signal)
    expect(await once(child, 'exit')).toEqual([7, null])
  })

  test('lets the server end by itself when a terminal sends both processes SIGINT', async () => {
    const child = await startServer({ isOlder: true })
    process.kill(-child.pid!, 'SIGINT')
    expect(await once(child, 'exit')).toEqual([7, null])
  })
})

test('the lockfile has the address of every package, so that npm asks the registry about none', () => {
  const fromRegistry = Object.entries(lockedPackages()).filter(([path]) => path !== '')
  expect(fromRegistry.length).toBeGreaterThan(100)
  expect(
    fromRegistry.filter(([, { resolved }]) => !resolved?.startsWith('https://registry.npmjs.org/')),
  ).toEqual([])
})

test('what a start installs exists for Alpine, for ARM and for Windows on ARM', () => {
  const native = Object.entries(lockedPackages()).filter(([, { os, dev }]) => os && !dev)
  const platforms = native.map(([path]) => path.replace(/^node_modules\/@?/, ''))
  for (const name of ['rolldown/binding', 'lightningcss']) {
    for (const platform of [
      'linux-x64-musl',
      'linux-arm64-musl',
      'linux-arm64-gnu',
      'linux-arm-gnueabihf',
      'darwin-arm64',
      'win32-arm64-msvc',
    ]) {
      expect(platforms).toContain(`${name}-${platform}`)
    }
  }
  const others = platforms.filter((name) => !/^(rolldown|lightningcss|fsevents)/.test(name))
  expect(others).toEqual([])
})

interface LockedPackage {
  resolved?: string
  integrity?: string
  os?: string[]
  dev?: true
}

function lockedPackages(): Record<string, LockedPackage> {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8')).packages
}

// Stops as our server does: not at once.
const server = `
setInterval(() => {}, 1000)
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  process.on(signal, () => setTimeout(() => process.exit(7), 20))
}
console.log('listening')
`

/**
 * Stands in for npm: notes the packages of the lockfile that it was asked for, and gives this Node
 * as the pinned one.
 */
const npm = `#!/usr/bin/env node
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
const words = process.argv.slice(2)
console.log('npm ' + words.join(' '))
const note = (folder, packages) => {
  mkdirSync(folder + '/node_modules', { recursive: true })
  writeFileSync(folder + '/node_modules/.package-lock.json', JSON.stringify({ packages }))
}
if (words[0] === 'ci') {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const isWanted = ([path, { dev }]) => path !== '' && !(dev && words.includes('--omit=dev'))
  note('.', Object.fromEntries(Object.entries(packages).filter(isWanted)))
} else {
  const [folder, name] = [words[words.indexOf('--prefix') + 1], words.at(-1).split('@26')[0]]
  const pinned = readFileSync('run.mjs', 'utf8').split("'" + name + "'")[1]
  const integrity = process.env.INTEGRITY ?? /sha512-[^']+/.exec(pinned)[0]
  note(folder, { ['node_modules/' + name]: { integrity } })
  mkdirSync(folder + '/node_modules/' + name + '/bin', { recursive: true })
  symlinkSync(process.execPath, folder + '/node_modules/' + name + '/bin/node')
}
`

/** `first`: what npm does instead, the first time. */
function project(first?: string): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'npm.mjs'), npm)
  const instead = first === undefined ? '' : `[ -e tried ] || { touch tried; ${first}; }\n`
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${instead}exec node "${folder}/npm.mjs" "$@"\n`, {
    mode: 0o755,
  })
  for (const file of ['run.mjs', 'fetch-package.mjs']) {
    copyFileSync(join(import.meta.dirname, file), join(folder, file))
  }
  for (const file of ['start.ts', 'server.ts', 'lab/dev.ts', 'lab/check.ts']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), '')
  }
  writeLockfile(folder, 'sha512-old')
  return folder
}

function writeLockfile(folder: string, integrity: string): void {
  const packages = {
    '': {},
    'node_modules/react': { integrity },
    'node_modules/vitest': { integrity: 'sha512-vitest', dev: true },
    'node_modules/for-another-platform': { integrity: 'sha512-other', optional: true },
  }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
}

function envOf(folder: string, more: Record<string, string> = {}) {
  const path = [folder, dirname(process.execPath), '/usr/bin', '/bin']
  return { PATH: path.join(delimiter), ...more }
}

function nodeWords(isOlder = false): string[] {
  return isOlder ? ['--import', olderNode, 'run.mjs'] : ['run.mjs']
}

function run(
  folder: string,
  file: string,
  { env, isOlder, words = [] }: Start & { words?: string[] } = {},
) {
  const options = { cwd: folder, env: envOf(folder, env), encoding: 'utf8' } as const
  return spawnSync(process.execPath, [...nodeWords(isOlder), file, ...words], options)
}

/** The sets that it installs before it runs the file. */
function installs(folder: string, file: string): string[] {
  const { stdout } = run(folder, file)
  return Array.from(
    stdout.matchAll(/^npm ci --include=optional (.*) --no-audit/gm),
    ([, words = '']) => words,
  )
}

/** Resolves when it listens. */
async function startServer({ isOlder }: Start) {
  const folder = project()
  writeFileSync(join(folder, 'start.ts'), server)
  const child = spawn(process.execPath, [...nodeWords(isOlder), 'start.ts'], {
    cwd: folder,
    env: envOf(folder),
    detached: true, // a process group of its own
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  for await (const line of createInterface(child.stdout)) if (line === 'listening') break
  return child
}
