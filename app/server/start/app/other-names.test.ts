import { describe, expect, test } from 'vitest'
import { functionPath, linkOf, ownOrigin, testApp } from '#rigs/server/test-app.ts'

const www = { host: 'www.bot.example' }
const post = {
  ...www,
  origin: 'https://www.bot.example',
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/x-www-form-urlencoded',
}

describe('at another name of the site', () => {
  test.each([
    ['/', '/?redirected'],
    ['/?utm_source=news&x=?', '/?utm_source=news&x=?&redirected'],
    [
      '/kit/AbCdEfGhIjKlMnOpQrStUv/unsubscribe',
      '/kit/AbCdEfGhIjKlMnOpQrStUv/unsubscribe?redirected',
    ],
    ['/nowhere', '/nowhere?redirected'],
    ['/desk/people', '/desk/people?redirected'],
  ])('%s leads to the public address, once', async (url, path) => {
    const app = await testApp()
    const { statusCode, headers } = await app.inject({ url, headers: www })
    expect([statusCode, headers.location]).toEqual([302, ownOrigin + path])
    expect(headers['cache-control']).toBe('no-store')
    const again = await app.inject({ url: path, headers: www })
    expect(again.headers.location).toBeUndefined()
  })

  test.each([
    '/healthz',
    '/readyz?x',
    '/metrics',
    '/assets/page-0123.js',
    '/receipts/x',
    functionPath,
  ])('%s is answered as everywhere', async (url) => {
    const app = await testApp()
    const { headers, statusCode } = await app.inject({ url, headers: www })
    const { statusCode: expected } = await app.inject(url)
    expect([statusCode, headers.location]).toEqual([expected, undefined])
  })

  test('a form that was posted says where to go, and does nothing', async () => {
    const app = await testApp()
    await app.signUp('ada@example.com')
    const link = await linkOf(app, 'ada@example.com')
    for (const url of [functionPath, `${link}/unsubscribe`]) {
      const answer = await app.inject({
        method: 'POST',
        url,
        headers: post,
        payload: 'email=b@b.example',
      })
      expect([answer.statusCode, answer.body]).toEqual([421, expect.stringContaining('elsewhere')])
    }
    const page = await app.inject(link)
    expect(page.body).toContain('leaving-listed')
  })
})
