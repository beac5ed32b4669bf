import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUpPath } from '#contract/sign-up.ts'
import { copyOfClone } from '#rigs/copy-of-clone.ts'
import { eventually } from '#rigs/eventually.ts'
import { newInstallation, type Product, startProduct } from '#rigs/product.ts'

let development: Product
/** It runs in a copy, because it would serve the files that tests put into this folder. */
const clone = copyOfClone()
beforeAll(async () => {
  development = await startProduct(await newInstallation(), {
    checkout: clone,
    command: [process.execPath, 'lab/dev.ts'],
    environment: {
      ANON_KEY: 'key',
      BOUNCE_TOKEN: 'a-token-of-22-characters',
      OWNER_EMAIL: 'owner@example.com',
    },
  })
  await eventually('the server behind Vite is ready', isReady)
})
afterAll(async () => {
  await development.stop()
  rmSync(clone, { recursive: true })
})

test.each(['localhost', '127.0.0.1'])(
  'npm run dev takes sign-ups from the page opened at %s',
  async (host) => {
    expect((await signUpFrom(originAt(host))).status).toBe(200)
  },
)

test('npm run dev refuses a sign-up from a page of another site', async () => {
  expect(
    (await signUpFrom(originAt('elsewhere.example'), 'ada@example.com', development.url)).status,
  ).toBe(403)
})

test.each([
  ['GET', '/desk', 200],
  ['GET', '/privacy', 200],
  ['GET', '/desk/api/today', 401],
  ['POST', '/hooks/bounces', 401],
])('npm run dev proxies %s %s to the server', async (method, path, status) => {
  expect((await fetch(development.url + path, { method })).status).toBe(status)
})

test.each([
  ['GET', '/pictures/unknown.png'],
  ['POST', '/doctor/client-address'],
])('npm run dev lets the server answer %s %s', async (method, path) => {
  const { headers } = await fetch(development.url + path, { method })
  expect(headers.has('content-security-policy')).toBe(true) // pages of Vite have none
})

test('npm run dev shows what became of a sign-up', async () => {
  const { receipt } = await (await signUpFrom(originAt('localhost'), 'eve@example.com')).json()
  const { state } = await (await fetch(`${development.url}/receipts/${receipt}`)).json()
  expect(['waiting', 'handed-over']).toContain(state)
})

test.each([
  'data/dev-test/list',
  'backups/dev-test/list',
  'lab/dev-test/x.db',
  'lab/dev-test/x.db-wal',
])('npm run dev does not serve %s, raw or as a module', async (path) => {
  mkdirSync(join(clone, path, '..'), { recursive: true })
  writeFileSync(join(clone, path), 'private words')
  for (const address of [`/${path}`, `/${path}?raw`, `/${path}?url`, `/@fs${clone}/${path}?raw`]) {
    expect(await (await fetch(development.url + address)).text()).not.toContain('private words')
  }
})

test.skipIf(process.platform === 'win32')(
  'the database, its log and the mails can be read by the account of the server alone',
  async () => {
    await signUpFrom(originAt('localhost'))
    const folder = dirname(development.databaseFile)
    const inbox = join(folder, 'inbox')
    await expect.poll(() => (existsSync(inbox) ? readdirSync(inbox) : [])).not.toEqual([])
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name),
    )
    expect(files.length).toBeGreaterThan(3)
    expect(files.filter((file) => (statSync(file).mode & 0o077) !== 0)).toEqual([])
  },
)

test('npm run dev grants no other local origin access', async () => {
  const { headers } = await fetch(`${development.url}/content/brand.ts`, {
    headers: { origin: 'http://localhost:8080' },
  })
  expect(headers.get('access-control-allow-origin')).toBeNull()
})

async function isReady(): Promise<boolean> {
  const answer = await fetch(`${development.url}/readyz`).catch(() => undefined)
  return answer?.ok ?? false
}

function originAt(host: string): string {
  return development.url.replace('localhost', host)
}

function signUpFrom(origin: string, email = 'ada@example.com', url = origin): Promise<Response> {
  return fetch(`${url}${signUpPath}`, {
    method: 'POST',
    headers: { origin, authorization: 'Bearer key', 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
}
