import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildIfStale } from '#build/build-if-stale.ts'
import { root } from '#rigs/product.ts'
import { testApp } from '#rigs/server/test-app.ts'

await buildIfStale()

// A server sends ten packets of 1,460 bytes before it waits for an answer (RFC 6928).
test('the page comes in the first ten packets with its headers, and its JavaScript takes 68,000 bytes at most', async () => {
  const { url } = await testApp({ parts: { dist: join(root, 'dist') } })
  const fetched = async (path: string) => {
    const { headers } = await fetch(url + path, { headers: { 'accept-encoding': 'br' } })
    const lines = Array.from(headers, ([name, value]) => `${name}: ${value}\r\n`)
    return {
      body: Number(headers.get('content-length')),
      head: `HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`.length,
    }
  }
  const pageBytes = async () => {
    const { body, head } = await fetched('/')
    return body + head
  }
  // Soon after the start the page is compressed as small as it gets. The rest of the ten packets is
  // room for an owner's words.
  await expect.poll(pageBytes).toBeLessThanOrEqual(12_613)
  const html = await (await fetch(url)).text()
  const [, modules = ''] = /data-modules="([^"]*)"/.exec(html) ?? []
  const scripts = await Promise.all(modules.split(' ').map(fetched))
  expect(scripts).toHaveLength(2)
  expect(scripts.reduce((sum, { body }) => sum + body, 0)).toBeLessThanOrEqual(68_000)
  const entry = await (await fetch(url + modules.split(' ')[0])).text()
  const [lengths = ''] = /try-lengths-[\w-]+\.js/.exec(entry) ?? []
  expect((await fetched(`/assets/${lengths}`)).body).toBeLessThanOrEqual(8000)
})
