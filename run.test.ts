import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
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

test('the lockfile has the address of every package, so that npm asks the registry about none', () => {
  type Entries = Record<string, { link?: true; version?: string; resolved?: string }>
  const { packages }: { packages: Entries } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8'),
  )
  const fromRegistry = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  )
  expect(fromRegistry.length).toBeGreaterThan(100)
  expect(
    fromRegistry.filter(([, { resolved }]) => !resolved?.startsWith('https://registry.npmjs.org/')),
  ).toEqual([])
})

test.skipIf(process.platform === 'win32')(
  'a start installs no packages of tests, and the first test adds them',
  () => {
    const folder = temporaryFolder()
    const npm = join(folder, 'npm')
    writeFileSync(
      npm,
      '#!/bin/sh\nmkdir -p node_modules/.bin && ln -sf "$NODE" node_modules/.bin/node\necho "npm $*"\n',
      {
        mode: 0o755,
      },
    )
    for (const file of ['run.mjs', 'package.json'])
      copyFileSync(join(import.meta.dirname, file), join(folder, file))
    mkdirSync(join(folder, 'lab'))
    for (const file of ['package-lock.json', 'start.ts', 'lab/check.ts'])
      writeFileSync(join(folder, file), '')
    const env = { PATH: `${folder}${delimiter}/usr/bin:/bin`, NODE: process.execPath }
    const run = (file: string) =>
      spawnSync(process.execPath, ['run.mjs', file], { cwd: folder, env, encoding: 'utf8' }).stdout
    expect(run('start.ts')).toContain('npm ci --omit=dev ')
    expect(run('start.ts')).toBe('')
    expect(run('lab/check.ts')).toContain('npm install --no-save --include=dev ')
    expect([run('lab/check.ts'), run('start.ts')]).toEqual(['', ''])
    writeFileSync(join(folder, 'package-lock.json'), 'changed')
    expect(run('lab/check.ts')).toContain('npm ci --include=dev ')
    expect([run('lab/check.ts'), run('start.ts')]).toEqual(['', ''])
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
  const bin = join(folder, 'node_modules/.bin')
  for (const made of [bin, join(folder, 'server')]) mkdirSync(made, { recursive: true })
  for (const file of ['run.mjs', 'package.json'])
    copyFileSync(join(import.meta.dirname, file), join(folder, file))
  const stamps = ['', '-with-tests'].map((what) => `node_modules/.starter-bot-lock${what}`)
  for (const lock of ['package-lock.json', ...stamps]) writeFileSync(join(folder, lock), '')
  symlinkSync(process.execPath, join(bin, 'node'))
  writeFileSync(join(folder, 'start.ts'), server)
  return folder
}
