import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUpPath } from '#contract/sign-up.ts'
import { type RunningProduct, startProduct } from '#testing/running-product.ts'

let development: RunningProduct
beforeAll(async () => {
  development = await startProduct({ HOST: '127.0.0.1', ANON_KEY: 'key' }, 'dev.ts')
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
