import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signUpPath } from '#contract/sign-up.ts'
import { type RunningProduct, startProduct } from '../rigs/running-product.ts'

let development: RunningProduct
beforeAll(async () => {
  development = await startProduct({ ANON_KEY: 'key' }, 'dev.ts')
  await vi.waitUntil(isReady, { timeout: 60_000 }) // the server behind Vite, that is
})
afterAll(() => development.stop())

test.each(['localhost', '127.0.0.1'])(
  'npm run dev takes sign-ups from the page opened at %s',
  async (host) => {
    expect((await signUpFrom(originAt(host))).status).toBe(200)
  },
)

test('npm run dev takes none from a page of another site', async () => {
  expect((await signUpFrom(originAt('elsewhere.example'))).status).toBe(403)
})

async function isReady(): Promise<boolean> {
  return (await fetch(`${development.url}/readyz`)).ok
}

function originAt(host: string): string {
  return development.url.replace('localhost', host)
}

function signUpFrom(origin: string): Promise<Response> {
  return fetch(`${development.url}${signUpPath}`, {
    method: 'POST',
    headers: { origin, authorization: 'Bearer key', 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com' }),
  })
}
