import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { envOf, installs, project, run, writeLockfile } from '#rigs/stand-in-clone.ts'

const site = '--omit=dev'
const everything = '--include=dev'

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
})
