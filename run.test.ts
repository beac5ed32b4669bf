import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

const nodePackage = `node-${process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : ''}${process.platform}-${process.arch}`
const site = '--omit=dev --no-workspaces'
const desk = '--omit=dev'
const everything = '--include=dev'

// Windows has neither signals nor links for everybody.
describe.skipIf(process.platform === 'win32')('run.mjs', () => {
  test('installs for a start what the site needs, with an OWNER_EMAIL the desk, and for a test the rest', () => {
    const folder = project()
    expect(installs(folder, 'start.ts')).toEqual([site])
    expect(installs(folder, 'owner/command-line/main.ts')).toEqual([])
    writeFileSync(join(folder, '.env'), 'OWNER_EMAIL=owner@example.com\n')
    expect(installs(folder, 'start.ts', { OWNER_EMAIL: '' })).toEqual([])
    expect(installs(folder, 'start.ts')).toEqual([desk])
    expect(installs(folder, 'lab/check.ts')).toEqual([everything])
    expect(installs(folder, 'start.ts')).toEqual([])
    writeFileSync(join(folder, 'package-lock.json'), 'changed')
    expect(installs(folder, 'start.ts')).toEqual([desk])
  })

  test('stops with the name of the package if npm left out the Node of this machine, and installs again next time', () => {
    const folder = project('true')
    for (const attempt of [1, 2]) {
      const { status, stderr } = run(folder, 'start.ts')
      expect([attempt, status, stderr]).toEqual([attempt, 1, expect.stringContaining(nodePackage)])
    }
  })

  test('reads .env for the server, its development and the owner; a variable that is already set wins', () => {
    const folder = project()
    writeFileSync(join(folder, '.env'), 'PORT=4000\nHOST=from-file\n')
    const printed = ['start.ts', 'lab/dev.ts', 'owner/command-line/main.ts', 'lab/check.ts'].map(
      (file) => {
        writeFileSync(join(folder, file), 'console.log("read", process.env.PORT, process.env.HOST)')
        return /^read .*$/m.exec(run(folder, file, { HOST: 'set' }).stdout)?.[0]
      },
    )
    expect(printed).toEqual([
      'read 4000 set',
      'read 4000 set',
      'read 4000 set',
      'read undefined set',
    ])
  })

  test.each<[NodeJS.Signals, string]>([
    ['SIGTERM', 'alone'],
    ['SIGINT', 'with its child'],
  ])('ends at a %s that it gets %s, with the exit code of its child', async (signal, receiver) => {
    const folder = project()
    writeFileSync(join(folder, 'start.ts'), server)
    const child = spawn(process.execPath, ['run.mjs', 'start.ts'], {
      cwd: folder,
      env: env(folder),
      detached: true,
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines = createInterface(child.stdout)
    for await (const line of lines) if (line === 'listening') break
    process.kill(receiver === 'alone' ? child.pid! : -child.pid!, signal)
    expect(await once(child, 'exit')).toEqual([7, null])
  })
})

test('the lockfile has the address of every package, so that npm asks the registry about none', () => {
  type Entries = Record<string, { link?: true; version?: string; resolved?: string }>
  const lock: { packages: Entries } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8'),
  )
  const fromRegistry = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  )
  expect(fromRegistry.length).toBeGreaterThan(100)
  expect(
    fromRegistry.filter(([, { resolved }]) => !resolved?.startsWith('https://registry.npmjs.org/')),
  ).toEqual([])
})

// Stops as our server does: not at once.
const server = `
setInterval(() => {}, 1000)
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => setTimeout(() => process.exit(7), 20))
console.log('listening')
`

/** With a stand-in for npm, which by default installs this Node as the pinned one. */
function project(
  npm = `mkdir -p node_modules/${nodePackage}/bin && ln -sf "$NODE" node_modules/${nodePackage}/bin/node`,
) {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho "npm $*"\n${npm}\n`, { mode: 0o755 })
  copyFileSync(join(import.meta.dirname, 'run.mjs'), join(folder, 'run.mjs'))
  for (const file of [
    'package-lock.json',
    'start.ts',
    'lab/dev.ts',
    'lab/check.ts',
    'owner/command-line/main.ts',
  ]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), '')
  }
  return folder
}

function env(folder: string, more = {}) {
  return { PATH: `${folder}${delimiter}/usr/bin:/bin`, NODE: process.execPath, ...more }
}

function run(folder: string, file: string, more = {}) {
  const options = { cwd: folder, env: env(folder, more), encoding: 'utf8' } as const
  return spawnSync(process.execPath, ['run.mjs', file], options)
}

/** What it installs before it runs the file: the words that name the set. */
function installs(folder: string, file: string, more = {}): string[] {
  const { stdout } = run(folder, file, more)
  return Array.from(
    stdout.matchAll(/^npm ci --include=optional (.*) --no-audit/gm),
    ([, words = '']) => words,
  )
}
