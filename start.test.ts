import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildIfStale } from '#build/build-if-stale.ts'
import { brand } from '#content/brand.ts'
import { freePort, listenHere, untilListening } from '#rigs/listening.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

const root = import.meta.dirname

beforeAll(buildIfStale)

test('a second start in the same folder says so and changes nothing', async () => {
  const clone = copyOfClone()
  await startIn(clone)
  writeFileSync(join(clone, 'content/added.ts'), '') // a start would build
  const before = filesOf(clone)
  const { status, stderr } = trySecondStart(clone, await freePort())
  expect([status, stderr.trimEnd().split('\n')]).toEqual([
    1,
    [`${brand.name} cannot start:`, expect.stringContaining('A server of this folder is running')],
  ])
  expect(filesOf(clone)).toEqual(before)
})

test('a start on a taken port builds nothing and opens no database', async () => {
  const clone = copyOfClone()
  rmSync(join(clone, 'dist'), { recursive: true })
  const other = createServer()
  onTestFinished(() => void other.close())
  const port = await listenHere(other)
  const { status, stderr } = trySecondStart(clone, port)
  expect([status, stderr]).toEqual([1, expect.stringMatching(`port ${port}.* set PORT `)])
  expect(existsSync(join(clone, 'dist'))).toBe(false)
  expect(existsSync(join(clone, 'second.db'))).toBe(false)
})

test('a start after one that was killed serves', async () => {
  const clone = copyOfClone()
  const first = await startIn(clone)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const { url } = await startIn(clone)
  expect((await fetch(url)).status).toBe(200)
})

test('a running server keeps its files when dist/ is built again', async () => {
  const clone = copyOfClone()
  const { url } = await startIn(clone)
  rmSync(join(clone, 'dist'), { recursive: true })
  const page = await (await fetch(url)).text()
  const [script = ''] = /\/assets\/[\w-]+\.js/.exec(page) ?? []
  expect((await fetch(url + script)).status).toBe(200)
})

test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP'])(
  '%s stops the server',
  async (signal) => {
    const { child } = await startIn(copyOfClone())
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([0, null])
  },
)

test('a folder that cannot be written is one line', () => {
  const clone = copyOfClone()
  writeFileSync(join(clone, '.serving'), 'not a folder')
  const { status, stderr } = trySecondStart(clone, 1)
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^.*\n.*\.serving cannot be written.*\n$/),
  ])
})

/** What a clone has after it was installed and built. */
function copyOfClone(): string {
  const folder = temporaryFolder()
  const names = globSync(['{app,content,owner,dist}', '*.{ts,json,mjs}', 'LICENSE'], { cwd: root })
  for (const name of names) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

async function startIn(clone: string) {
  const port = await freePort()
  const child = spawn(process.execPath, ['start.ts'], {
    cwd: clone,
    env: envOf(port, join(clone, 'first.db')),
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await untilListening(port, child)
  return { child, url: `http://127.0.0.1:${port}` }
}

function trySecondStart(clone: string, port: number) {
  const env = envOf(port, join(clone, 'second.db'))
  return spawnSync(process.execPath, ['start.ts'], { cwd: clone, env, encoding: 'utf8' })
}

function envOf(port: number, database: string) {
  return { HOST: '127.0.0.1', PORT: String(port), DATABASE_URL: `file:${database}` }
}

/** Without the database, which the first server may write at any time. */
function filesOf(clone: string): string[] {
  return globSync(['*', '{dist,.serving}/**/*'], { cwd: clone })
    .filter((path) => !path.startsWith('first.db'))
    .map((path) => `${path} ${statSync(join(clone, path)).mtimeMs}`)
    .toSorted()
}
