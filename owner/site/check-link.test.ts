import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { checkLink, isPublicAddress } from './check-link.ts'

/** Answers requests to any name. Returns what is said of a link there. */
async function checkAt(answer: RequestListener, timeoutMs = 60_000) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => server.close().closeAllConnections())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // of TCP
  return checkLink(`http://imprint.example:${port}/`, {
    addressesOf: async () => ['127.0.0.1'],
    isAllowed: () => true,
    timeoutMs,
  })
}

test.each([200, 302, 403])('a link that answers with %d is right', async (status) => {
  expect(await checkAt((_, response) => response.writeHead(status).end())).toBeUndefined()
})

test('a page that is missing, and a server that never answers, are said', async () => {
  expect(await checkAt((_, response) => response.writeHead(404).end())).toBe(
    'imprint.example answers with 404 instead of a page.',
  )
  expect(await checkAt(() => {}, 200)).toBe('imprint.example does not answer.')
})

test('a redirect is not followed', async () => {
  const asked: (string | undefined)[] = []
  await checkAt(({ url }, response) => {
    asked.push(url)
    response.writeHead(302, { location: '/secret' }).end()
  })
  expect(asked).toEqual(['/'])
})

test('a name that leads into a private network is not connected to', async () => {
  let isAsked = false
  const server = createServer(() => (isAsked = true)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // of TCP
  const said = await checkLink(`http://inside.example:${port}/`, {
    addressesOf: async () => ['93.184.216.34', '127.0.0.1'],
    isAllowed: isPublicAddress,
    timeoutMs: 200,
  })
  expect(said).toBe('inside.example is in a private network: visitors do not reach it.')
  expect(isAsked).toBe(false)
})

test('a name that nobody has is said', async () => {
  const network = {
    addressesOf: () => Promise.reject(new Error('ENOTFOUND')),
    isAllowed: isPublicAddress,
    timeoutMs: 200,
  }
  expect(await checkLink('nobody.example', network)).toBe('No server has the name nobody.example.')
})

test.each([
  ['93.184.216.34', true],
  ['2606:2800:220:1:248:1893:25c8:1946', true],
  ['10.1.2.3', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['172.31.0.1', false],
  ['192.168.1.1', false],
  ['::1', false],
  ['::ffff:10.0.0.1', false],
  ['fd00::1', false],
  ['fe80::1', false],
  ['64:ff9b::a00:1', false],
])('the address %s is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic)
})
