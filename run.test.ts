import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

// Stops as our server does: not at once, and ignoring further signals.
const server = `
const working = setInterval(() => {}, 1000)
let stopping = false
function stop() {
  if (stopping) return
  stopping = true
  setTimeout(() => { clearInterval(working); console.log('ended') }, 20)
}
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, stop)
console.log('listening', process.ppid)
`

// Windows does not have signals.
describe.skipIf(process.platform === 'win32')('npm start, with a stand-in for the server,', () => {
  test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])('ends it at a %s to the whole group', async (signal) => {
    const npm = await npmStart()
    process.kill(-npm.pid, signal)
    expect(await npm.printedUntilAllAreGone).toContain('ended')
  })

  test('ends it at a SIGTERM to npm alone', async () => {
    const npm = await npmStart()
    process.kill(npm.pid, 'SIGTERM')
    expect(await npm.printedUntilAllAreGone).toContain('ended')
  })

  test('ends it at a SIGTERM to run.mjs alone', async () => {
    const npm = await npmStart()
    process.kill(npm.pidOfRun, 'SIGTERM')
    expect(await npm.printedUntilAllAreGone).toContain('ended')
  })
})

test('.env is read for the server, its development, and the owner; a variable that is already set wins', () => {
  const folder = installedProject()
  const files = ['start.ts', 'lab/dev.ts', 'owner/command-line/main.ts', 'lab/check.ts']
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), 'console.log(process.env.PORT, process.env.HOST)')
  }
  writeFileSync(join(folder, '.env'), 'PORT=4000\nHOST=from-file\n')
  const printed = files.map((file) => {
    const options = { cwd: folder, env: { HOST: 'set' }, encoding: 'utf8' } as const
    return spawnSync(process.execPath, ['run.mjs', file], options).stdout
  })
  expect(printed).toEqual(['4000 set\n', '4000 set\n', '4000 set\n', 'undefined set\n'])
})

test('the lockfiles have the address of every package, so that npm asks the registry about none', () => {
  type Entries = Record<string, { link?: true; version?: string; resolved?: string }>
  const locks = ['package-lock.json', 'runtime/package-lock.json']
  const fromRegistry = locks
    .map((lock): { packages: Entries } => JSON.parse(readFileSync(join(import.meta.dirname, lock), 'utf8')))
    .flatMap(({ packages }) => Object.entries(packages))
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  expect(fromRegistry.length).toBeGreaterThan(100)
  expect(
    fromRegistry.filter(([, { resolved }]) => !resolved?.startsWith('https://registry.npmjs.org/')),
  ).toEqual([])
})

test.skipIf(process.platform === 'win32')(
  'a start installs what the site needs, one with an OWNER_EMAIL adds the desk, and the first test adds the rest',
  () => {
    const folder = temporaryFolder()
    const npm =
      '#!/bin/sh\nmkdir -p node_modules/.bin node_modules/node-x/bin && ln -sf "$NODE" node_modules/node-x/bin/node\necho "npm $*"\n'
    writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 })
    for (const file of ['run.mjs', 'package.json'])
      copyFileSync(join(import.meta.dirname, file), join(folder, file))
    for (const made of ['lab', 'runtime']) mkdirSync(join(folder, made))
    const locks = ['package-lock.json', 'runtime/package-lock.json']
    for (const file of [...locks, 'start.ts', 'lab/check.ts']) writeFileSync(join(folder, file), '')
    const env = { PATH: `${folder}${delimiter}/usr/bin:/bin`, NODE: process.execPath }
    const run = (file: string, more = {}) =>
      spawnSync(process.execPath, ['run.mjs', file], {
        cwd: folder,
        env: { ...env, ...more },
        encoding: 'utf8',
      })
        .stdout.split('\n')
        .flatMap((line) => /^npm (.*) --no-audit/.exec(line)?.[1] ?? [])
        .toSorted()

    expect(run('start.ts')).toEqual(['ci --include=optional', 'ci --include=optional --omit=dev --omit=peer'])
    expect(run('start.ts')).toEqual([])
    expect(realpathSync(join(folder, 'node_modules/.bin/node'))).toBe(realpathSync(process.execPath))
    writeFileSync(join(folder, '.env'), 'OWNER_EMAIL=owner@example.com\n')
    expect(run('start.ts', { OWNER_EMAIL: '' })).toEqual([])
    expect(run('start.ts')).toEqual(['install --no-save --include=optional --omit=dev'])
    expect(run('lab/check.ts')).toEqual(['install --no-save --include=optional --include=dev'])
    expect([...run('lab/check.ts'), ...run('start.ts')]).toEqual([])
    writeFileSync(join(folder, locks[0]!), 'changed')
    expect(run('lab/check.ts')).toEqual(['ci --include=optional --include=dev'])
    writeFileSync(join(folder, locks[1]!), 'changed')
    expect([...run('start.ts'), ...run('start.ts')]).toEqual(['ci --include=optional'])
  },
)

async function npmStart() {
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn('npm', ['start'], {
    cwd: installedProject(),
    env: { PATH, HOME, TMPDIR },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = child.pid!
  let someAreLeft = true
  onTestFinished(() => void (someAreLeft && process.kill(-pid, 'SIGKILL')))
  const lines: string[] = []
  const listening = new Promise<number>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line)
      if (line.startsWith('listening')) resolve(Number(line.split(' ')[1]))
    })
  })
  // Each process holds the pipe for as long as it runs.
  const printedUntilAllAreGone = once(child, 'close').then(() => {
    someAreLeft = false
    return lines
  })
  return { pid, pidOfRun: await listening, printedUntilAllAreGone }
}

/** With our run.mjs and scripts, nothing to install, and this Node as the pinned one. */
function installedProject(): string {
  const folder = temporaryFolder()
  const bin = join(folder, 'runtime/node_modules/node-x/bin')
  for (const made of [bin, join(folder, 'node_modules/.bin')]) mkdirSync(made, { recursive: true })
  for (const file of ['run.mjs', 'package.json'])
    copyFileSync(join(import.meta.dirname, file), join(folder, file))
  for (const [packages, group] of [
    ['.', 'tests'],
    ['runtime', 'node'],
  ] as const) {
    writeFileSync(join(folder, packages, 'package-lock.json'), '')
    const stamp = join(folder, packages, 'node_modules/.starter-bot-installed.json')
    writeFileSync(stamp, JSON.stringify({ lock: '', group }))
  }
  symlinkSync(process.execPath, join(bin, 'node'))
  writeFileSync(join(folder, 'start.ts'), server)
  return folder
}
