import { describe, expect, test, vi } from 'vitest'
import { functionPath, ownOrigin, testApp } from '#rigs/server/test-app.ts'

const fatal = 'fatal@example.com'

// Both cases throw a TypeError: before the registration, and within its transaction.
vi.mock('#contract/email-address.ts', async (load) => {
  const real = await load<typeof import('#contract/email-address.ts')>()
  const parseEmailAddress = (text: string) => {
    if (text === fatal) throw new TypeError('a bug of ours')
    return real.parseEmailAddress(text)
  }
  return { ...real, parseEmailAddress }
})
vi.mock('../subscribers/subscribers.ts', async (load) => {
  const real = await load<typeof import('../subscribers/subscribers.ts')>()
  const enrol: typeof real.enrol = (connection, newcomers, now, page) => {
    if (newcomers.some(({ identity }) => identity === `2.${fatal}`)) throw new TypeError('a bug of ours')
    return real.enrol(connection, newcomers, now, page)
  }
  return { ...real, enrol }
})

describe.each([
  ['while the address is read', fatal],
  ['within the transaction', `2.${fatal}`],
])('a programming error %s', (_when, email) => {
  test('is a 500 in JSON that a browser script can read, and is logged without the address', async () => {
    const app = await testApp()
    const answer = await app.signUp(email, { origin: ownOrigin })
    expect(answer.status).toBe(500)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('access-control-allow-origin')).toBe(ownOrigin)
    expect(await answer.json()).toEqual({ error: { code: 'internal_error', message: expect.any(String) } })
    await expect.poll(() => app.log()).toContain('"event":"request failed"')
    expect(app.log()).not.toContain(fatal)
  })

  test('is a page of status 500 to a plain form, with the address to try again', async () => {
    const app = await testApp()
    const body = new URLSearchParams({ email })
    const answer = await fetch(app.url + functionPath, {
      method: 'POST',
      headers: { origin: ownOrigin },
      body,
    })
    expect(answer.status).toBe(500)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await answer.text()).toContain(`<h1>result-error</h1> ${email}`)
  })
})
