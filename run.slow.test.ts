import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
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

  test('installs nothing in a tree that npm ci has installed by hand, and leaves it alone after a failure', () => {
    const folder = project()
    spawnSync(join(folder, 'npm'), ['ci'], { cwd: folder, env: envOf(folder) })
    writeFileSync(join(folder, 'start.ts'), 'process.exit(1)')
    expect(installs(folder, 'start.ts')).toEqual([])
    expect(installs(folder, 'lab/check.ts')).toEqual([])
  })

  test('installs again after an installation that failed, and keeps what was there until then', () => {
    const folder = project({ instead: 'mkdir -p node_modules/half && exit 1' })
    mkdirSync(join(folder, 'node_modules/former'), { recursive: true })
    expect(run(folder, 'start.ts')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('npm ci failed'),
    })
    expect(globSync('node_modules*/*', { cwd: folder })).toEqual(['node_modules/former'])
    expect(installs(folder, 'start.ts')).toEqual([site])
  })

  test('an npm that outlives a killed start harms no later one', async () => {
    const folder = project({ instead: 'mkdir -p node_modules/half && echo half && exec sleep 60' })
    const child = spawn(process.execPath, ['run.mjs', 'start.ts'], {
      cwd: folder,
      env: envOf(folder),
      detached: true,
    })
    onTestFinished(() => void process.kill(-child.pid!, 'SIGKILL')) // the npm
    for await (const line of createInterface(child.stdout)) if (line === 'half') break
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(installs(folder, 'start.ts')).toEqual([site])
    expect(globSync('node_modules*/*', { cwd: folder })).toEqual(['node_modules/react'])
  })

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'npm ends with a start that %s stops',
    async (signal) => {
      const folder = project({ instead: 'echo $$ > pid; echo busy; exec sleep 60' })
      const child = spawn(process.execPath, ['run.mjs', 'start.ts'], {
        cwd: folder,
        env: envOf(folder),
      })
      for await (const line of createInterface(child.stdout)) if (line === 'busy') break
      child.kill(signal)
      await once(child, 'close') // npm has the other end of the output
    },
  )

  test('of two starts at the same time, the later one uses what the first has installed', async () => {
    const folder = project()
    const ends = ['start.ts', 'start.ts', 'server.ts'].map(async (file) => {
      const child = spawn(process.execPath, ['run.mjs', file], { cwd: folder, env: envOf(folder) })
      return once(child, 'exit')
    })
    expect(await Promise.all(ends)).toEqual([
      [0, null],
      [0, null],
      [0, null],
    ])
    expect(globSync('node_modules*/*', { cwd: folder })).toEqual(['node_modules/react'])
    expect(installs(folder, 'start.ts')).toEqual([])
  })

  test.each([
    ['is missing', (file: string) => rmSync(file)],
    ['was cut', (file: string) => writeFileSync(file, '')],
  ])('a failure with a package that %s lets the next start install again', (_, damage) => {
    const folder = project()
    writeFileSync(join(folder, 'start.ts'), 'process.exit(1)')
    expect(run(folder, 'start.ts').stderr).toBe('') // not the fault of a package
    expect(installs(folder, 'start.ts')).toEqual([])
    damage(join(folder, 'node_modules/react/index.js'))
    expect(run(folder, 'start.ts').stderr).toContain('installs them again')
    expect(installs(folder, 'start.ts')).toEqual([site])
  })

  test('runs in a folder whatever its name is', () => {
    const folder = project({ name: `a b#c?d$(touch made)\`touch made\`it's "e";f&g%41` })
    writeFileSync(join(folder, 'start.ts'), 'console.log(`ran ${process.argv.slice(1)}`)')
    const { stdout, stderr } = run(folder, 'start.ts', { isOlder: true })
    expect(stderr).toBe('')
    expect(stdout).toContain(`ran ${join(folder, 'start.ts')}`)
    expect(globSync('**/made', { cwd: folder })).toEqual([])
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
    expect(first.stdout).toMatch(/npm install .* node-[\w-]+@2\d\.\d+\.\d+/)
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

  test('names the library that the fetched Node misses, and the command that installs it', () => {
    const folder = project()
    const fault = 'node: error while loading shared libraries: libatomic.so.1: cannot open it'
    const NODE = `#!/bin/sh\necho '${fault}' >&2; exit 127`
    for (const attempt of [1, 2]) {
      const { status, stdout, stderr } = run(folder, 'start.ts', { isOlder: true, env: { NODE } })
      expect(status).toBe(1)
      expect(stderr).toMatch(
        /^The fetched Node needs libatomic\.so\.1, .*\(apt-get install libatomic1\).*\n$/,
      )
      expect(stdout.includes('npm install')).toBe(attempt === 1)
    }
  })

  test.each([
    ['is no program', 'nothing'],
    ['fails', '#!/bin/sh\necho "Illegal instruction" >&2; exit 132'],
    ['is killed', '#!/bin/sh\nkill -SEGV $$'],
  ])('fetches a Node again that %s', (_, NODE) => {
    const folder = project()
    for (const attempt of [1, 2]) {
      const { status, stdout, stderr } = run(folder, 'start.ts', { isOlder: true, env: { NODE } })
      expect([attempt, status, stderr]).toEqual([
        attempt,
        1,
        expect.stringContaining('does not run'),
      ])
      expect(stdout).toContain('npm install')
    }
    expect(run(folder, 'start.ts', { isOlder: true }).status).toBe(0)
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

  test('does not run the file with a value of .env that is cut', () => {
    const folder = project()
    writeFileSync(join(folder, '.env'), 'ANON_KEY=my#key\n')
    writeFileSync(join(folder, 'start.ts'), 'console.log("ran")')
    expect(run(folder, 'start.ts')).toMatchObject({
      status: 1,
      stdout: expect.not.stringContaining('ran'),
      stderr: expect.stringMatching(/^ANON_KEY /),
    })
  })

  test.each<{ signal: NodeJS.Signals; isOlder: boolean }>([
    { signal: 'SIGTERM', isOlder: true },
    { signal: 'SIGINT', isOlder: true },
    { signal: 'SIGHUP', isOlder: true },
    { signal: 'SIGTERM', isOlder: false },
    { signal: 'SIGINT', isOlder: false },
    { signal: 'SIGHUP', isOlder: false },
  ])('lets the server end by itself at $signal (older Node: $isOlder)', async (options) => {
    const { child } = await startServer(options)
    child.kill(options.signal)
    expect(await once(child, 'exit')).toEqual([7, null])
  })

  test('lets the server end by itself when a terminal sends both processes SIGINT', async () => {
    const { child } = await startServer({ isOlder: true })
    process.kill(-child.pid!, 'SIGINT')
    expect(await once(child, 'exit')).toEqual([7, null])
  })

  // Only Linux tells whose child the shell is.
  const signals: NodeJS.Signals[] = existsSync('/proc/self')
    ? ['SIGTERM', 'SIGHUP', 'SIGKILL']
    : ['SIGTERM']
  test.each(signals.flatMap((signal) => [true, false].map((isOlder) => ({ signal, isOlder }))))(
    'the server ends when $signal ends npm (older Node: $isOlder)',
    async (options) => {
      const { child, output } = await startServer({ ...options, isUnderNpm: true })
      child.kill(options.signal)
      expect(await once(child, 'exit')).toEqual([null, options.signal])
      expect(await text(output)).toContain('ended')
    },
  )
})

// Stops as our server does: not at once.
const server = `
setInterval(() => {}, 1000)
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  process.on(signal, () => setTimeout(() => {
    console.log('ended')
    process.exit(7)
  }, 20))
}
console.log('listening')
`

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

/** `instead`: what npm does the first time. */
function project({ name = 'clone', instead }: { name?: string; instead?: string } = {}): string {
  const folder = join(temporaryFolder(), name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'npm.mjs'), npm)
  const first =
    instead === undefined ? '' : `[ -e "$0.tried" ] || { touch "$0.tried"; ${instead}; }\n`
  const script = `#!/bin/sh\n${first}exec node "\${0%/*}/npm.mjs" "$@"\n`
  writeFileSync(join(folder, 'npm'), script, { mode: 0o755 })
  for (const file of ['run.mjs', 'install.mjs', 'app/server/settings/env-file.ts']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(import.meta.dirname, file), join(folder, file))
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
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
  const { NODE_OPTIONS } = process.env
  return { PATH: path.join(delimiter), NODE_OPTIONS, ...more }
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

/** Starts a shell as npm does, and ends as npm does. */
const npmStart = `
process.title = 'npm start'
const { spawn } = require('node:child_process')
const shell = spawn('/bin/sh', ['-c', '"$@"; exit', 'sh', ...process.argv.slice(1)], { stdio: 'inherit' })
process.once('SIGTERM', () => shell.kill('SIGTERM'))
shell.on('exit', (code, signal) => signal ? process.kill(process.pid, signal) : process.exit(code))
`

/** Resolves when it listens. */
async function startServer({ isOlder, isUnderNpm = false }: Start & { isUnderNpm?: boolean }) {
  const folder = project()
  writeFileSync(join(folder, 'start.ts'), server)
  const words = [process.execPath, ...nodeWords(isOlder), 'start.ts']
  const [program = '', ...more] = isUnderNpm ? [process.execPath, '-e', npmStart, ...words] : words
  const child = spawn(program, more, {
    cwd: folder,
    env: envOf(folder, isUnderNpm ? { npm_lifecycle_event: 'start' } : {}),
    detached: true, // a process group of its own
  })
  onTestFinished(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // all have ended
    }
  })
  const output = new PassThrough()
  child.stdout.pipe(output)
  for await (const line of createInterface(child.stdout)) if (line === 'listening') break
  return { child, output }
}
