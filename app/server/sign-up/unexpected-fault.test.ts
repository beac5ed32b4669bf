import { expect, test, vi } from 'vitest'
import { functionPath, ownOrigin, testApp } from '#rigs/test-app.ts'

const fatal = 'fatal@example.com'

vi.mock('#contract/email-address.ts', async (load) => {
  const real = await load<typeof import('#contract/email-address.ts')>()
  const parseEmailAddress = (text: string) => {
    if (text === fatal) throw new TypeError('a fault of our own code')
    return real.parseEmailAddress(text)
  }
  return { ...real, parseEmailAddress }
})

test('a fault of our own code is told to a program as JSON that a browser script can read, and logged', async () => {
  const app = await testApp()
  const answer = await app.signUp(fatal, { origin: ownOrigin })
  expect(answer.status).toBe(500)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('access-control-allow-origin')).toBe(ownOrigin)
  expect(await answer.json()).toEqual({ error: { code: 'internal_error', message: expect.any(String) } })
  await vi.waitFor(() => expect(app.log()).toContain('"event":"request failed"'))
  expect(app.log()).not.toContain(fatal)
})

test('and to who posted the plain form as a page', async () => {
  const app = await testApp()
  const body = new URLSearchParams({ email: fatal })
  const answer = await fetch(app.url + functionPath, { method: 'POST', headers: { origin: ownOrigin }, body })
  expect(answer.status).toBe(500)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await answer.text()).toContain('<h1>result-error</h1>')
})
