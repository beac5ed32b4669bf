import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signUpPath } from '#contract/sign-up.ts'
import { ownerOf } from '#rigs/owner/owner-commands.ts'
import type { Product } from '#rigs/product.ts'
import { reasonToSkip } from './installed.ts'
import { type ProxyName, type ShippedProxy, startShippedProxy } from './shipped-proxy.ts'
import { settings, startOpenProduct } from './open-product.ts'

const names: ProxyName[] = ['nginx', 'Caddy']

describe.each(names.map((name) => ({ name, lacks: reasonToSkip([name.toLowerCase()]) })))(
  '$name, by its shipped file,',
  ({ name, lacks }) => {
    let product: Product
    let proxy: ShippedProxy
    beforeAll(async () => {
      if (lacks !== '') return
      product = await startOpenProduct({ LIMIT_IP_PER_10_MIN: '1' })
      proxy = await startShippedProxy(name, product.port)
    })
    afterAll(async () => {
      await proxy?.stop()
      await product?.stop()
    })
    beforeEach(({ skip }) => skip(lacks !== '', lacks))

    test('shows the page', async () => {
      expect((await proxy.send('/')).text).toContain('</html>')
    })

    test('takes a sign-up, and tells the server who the visitor is, whatever the visitor claims', async () => {
      const first = await signUp(proxy, 'ada@example.com', { 'x-forwarded-for': '203.0.113.1' })
      const second = await signUp(proxy, 'ben@example.com', { 'x-forwarded-for': '203.0.113.2' })
      expect([first.status, second.status]).toEqual([200, 429])
    })

    test('shows nothing of the site under another name', async () => {
      const { text } = await proxy.send('/', { headers: { host: 'localhost' } })
      expect(text).not.toContain('<form')
    })

    test('passes a list of 31 MB on to the desk, and no such body from a visitor', async () => {
      const secret = await deskSecret(product)
      const json = { 'content-type': 'application/json', origin: settings.PUBLIC_URL }
      const post = { method: 'POST', headers: json }
      const { cookies } = await proxy.send('/desk/api/signIn.byLink', post, JSON.stringify(secret))
      const headers = { ...json, cookie: cookies.join('; ') }
      const line = `somebody@example.com,${'x'.repeat(10_000)}\n`
      const list = `email,note\n${line.repeat(3_150)}`
      const bytes = { ...headers, 'content-type': 'application/octet-stream' }
      const path = '/desk/api/import-file?act=try-out&email=0'
      const answer = await proxy.send(path, { method: 'POST', headers: bytes }, list)
      expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('"added":1') })
      const large = signUp(proxy, 'x'.repeat(100_000))
      // The server answers before it has read all: Caddy says 502 then, or cuts the answer off.
      const outcome = await large.then(
        ({ status }) => status,
        () => 'cut off',
      )
      expect([413, 502, 'cut off']).toContain(outcome)
    })

    test('logs requests, but no personal link', async () => {
      await proxy.send('/kit/AAAAAAAAAAAAAAAAAAAAAA')
      await proxy.send('/?after-it')
      await expect.poll(() => proxy.readLogs()).toContain('/?after-it')
      expect(proxy.readLogs()).not.toContain('/kit/')
    })
  },
)

/** The secret of a link that opens the desk. */
async function deskSecret({ databaseFile }: Product): Promise<string> {
  const run = ownerOf(`file:${databaseFile}`, settings, { now: Date.now })
  const link = (await run('desk-link')).printed.trim()
  return new URL(link).hash.slice(1)
}

function signUp(proxy: ShippedProxy, email: string, more: Record<string, string> = {}) {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: settings.PUBLIC_URL,
    ...more,
  }
  const body = new URLSearchParams({ email }).toString()
  return proxy.send(signUpPath, { method: 'POST', headers }, body)
}
