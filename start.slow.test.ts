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
import { copyOfClone, difficultName } from '#rigs/copy-of-clone.ts'
import { freePort, listenHere, untilListening } from '#rigs/listening.ts'
import { type ReceivedMail, startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { oldestNodeHere } from '#rigs/nodes.ts'

/** A clone in which the tests start, one after the other, whatever its name is. */
let clone: string
beforeAll(async () => {
  await buildIfStale()
  clone = copyOfClone(difficultName)
})
afterAll(() => rmSync(dirname(clone), { recursive: true, force: true }))

test('a second start in the same folder says so and changes nothing', async () => {
  const first = await start()
  const added = join(clone, 'content/added.ts')
  writeFileSync(added, '') // a start would build
  onTestFinished(() => rmSync(added))
  const before = filesOfClone()
  const { status, stderr } = trySecondStart(await freePort())
  expect([status, stderr.trimEnd().split('\n')]).toEqual([
    1,
    [
      `${brand.name} cannot start:`,
      `  - A server of this folder is running (process ${first.child.pid}). Stop it first`,
    ],
  ])
  expect(filesOfClone()).toEqual(before)
})

test('a start after one that was killed serves', async () => {
  const first = await start()
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const { url } = await start()
  expect((await fetch(url)).status).toBe(200)
})

test('a start waits for a server that stops', async () => {
  const first = await start()
  const request = connect(Number(new URL(first.url).port), '127.0.0.1')
  request.on('error', () => {}) // the stop cuts it
  request.write(
    `POST ${signUpPath} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
      'Content-Length: 9\r\nExpect: 100-continue\r\n\r\n',
  )
  await once(request, 'data') // the server has it, and waits for the body
  first.child.kill('SIGTERM')
  await expect.poll(() => readState()).toBe(`${first.child.pid} stops`)
  const second = start()
  expect(first.child.exitCode).toBeNull()
  expect((await fetch((await second).url)).status).toBe(200)
})

test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP'])(
  '%s stops the server',
  async (signal) => {
    const { child } = await start()
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([0, null])
  },
)

test('the oldest Node (on Linux x64, elsewhere this one) takes a sign-up, mails it, opens the desk, and knows all after a restart', async () => {
  const node = await oldestNodeHere()
  const inbox = await startSmtpInbox()
  onTestFinished(() => inbox.close())
  const settings = { SMTP_URL: inbox.url, OWNER_EMAIL: 'owner@example.com' }
  const first = await start({ node, settings })

  await expectPageWithScript(first.url)
  const body = new URLSearchParams({ email: 'ada@example.com' })
  expect((await fetch(first.url + signUpPath, { method: 'POST', body })).status).toBe(200)
  const [mail] = await inbox.arrival(1, 'ada@example.com')
  const [, personalPage = ''] = /(\/kit\/[\w-]{22})\s/.exec(await textOf(mail)) ?? []
  const cookie = await signInAtDesk({ node, settings, url: first.url })
  first.child.kill('SIGTERM')
  await once(first.child, 'exit')

  const second = await start({ node, settings })
  expect((await fetch(second.url + personalPage)).status).toBe(200)
  const desk = await fetch(`${second.url}/desk/api/you.show`, { headers: { cookie } })
  expect(desk.status).toBe(200)
})

test('a running server keeps its files when dist/ is built again', async () => {
  const { url } = await start()
  rmSync(join(clone, 'dist'), { recursive: true })
  await expectPageWithScript(url)
})

describe('once dist/ is gone', () => {
  beforeAll(() => rmSync(join(clone, 'dist'), { recursive: true, force: true }))

  test('a start on a taken port builds nothing and opens no database', async () => {
    const other = createServer()
    onTestFinished(() => void other.close())
    const port = await listenHere(other)
    const { status, stderr } = trySecondStart(port)
    expect([status, stderr]).toEqual([1, expect.stringMatching(`port ${port}.* set PORT `)])
    expect(existsSync(join(clone, 'dist'))).toBe(false)
    expect(existsSync(join(clone, 'second.db'))).toBe(false)
  })

  test('SIGTERM ends a start that still builds, and its build', async () => {
    const env = envOf(await freePort(), join(clone, 'first.db'))
    const child = spawn(process.execPath, ['start.ts'], { cwd: clone, env })
    const parents = () => execFileSync('ps', ['-A', '-o', 'ppid='], { encoding: 'utf8' })
    await expect.poll(() => parents().match(/\d+/g)).toContain(`${child.pid}`)
    child.kill('SIGTERM')
    // Its output is closed once the build has ended as well.
    expect(await once(child, 'close')).toEqual([143, null])
    expect(existsSync(join(clone, 'dist'))).toBe(false)
  })
})

test('a folder that cannot be written is one line', () => {
  rmSync(join(clone, '.serving'), { recursive: true, force: true })
  writeFileSync(join(clone, '.serving'), 'not a folder')
  const { status, stderr } = trySecondStart(1)
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^.*\n.*\.serving cannot be written.*\n$/),
  ])
})

async function expectPageWithScript(url: string): Promise<void> {
  const page = await (await fetch(url)).text()
  const [script = ''] = /\/assets\/[\w-]+\.js/.exec(page) ?? []
  expect((await fetch(url + script)).status).toBe(200)
}

/** What the process that serves notes of itself. */
function readState(): string {
  const file = join(clone, '.serving/process')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

interface StartOptions {
  /** The program. */
  node?: string
  settings?: Record<string, string>
}

async function start({ node = process.execPath, settings = {} }: StartOptions = {}) {
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
async function signInAtDesk({
  node,
  settings,
  url,
}: Required<StartOptions> & { url: string }): Promise<string> {
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

function trySecondStart(port: number) {
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
function filesOfClone(): string[] {
  return globSync(['*', '{dist,.serving}/**/*'], { cwd: clone })
    .filter((path) => !path.startsWith('first.db'))
    .map((path) => `${path} ${statSync(join(clone, path)).mtimeMs}`)
    .toSorted()
}
