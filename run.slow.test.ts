import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { envOf, nodeWords, project, run, type Start } from '#rigs/stand-in-clone.ts'

// Windows has neither signals nor shell scripts.
describe.skipIf(process.platform === 'win32')('run.mjs', () => {
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
