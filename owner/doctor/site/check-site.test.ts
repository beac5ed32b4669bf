import dns from 'node:dns'
import { createServer } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type ProxyAnswer, startDoctorSite, startHttp } from '#rigs/owner/doctor-site.ts'
import { askDoctor, nowhere } from '#rigs/owner/doctor-terminal.ts'
import { selfSignedCertificate } from '#rigs/mail/self-signed-certificate.ts'
import { askSite } from './ask-site.ts'

/** Runs the doctor on a running site whose proxy answers one path. */
async function siteWith(path?: string, answer: ProxyAnswer = { status: 200 }) {
  const site = await startDoctorSite((request) => (request.url === path ? answer : undefined))
  return askDoctor({ environment: site.environment, outside: { folder: site.folder } })
}

const production = { NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1:1' }

test('our page is ok if it is ready, has the right time, and shows its picture', async () => {
  const { findings } = await siteWith()
  const site = findings.filter(({ id }) => id.startsWith('site.'))
  expect(site.map(({ id, state }) => `${state} ${id}`)).toEqual([
    'ok site.answers',
    'ok site.ready',
    'ok site.clock',
    'ok site.share-image',
  ])
})

test('a site that does not answer is unknown in development and wrong in production', async () => {
  const before = await askDoctor({})
  expect(before.said('site.answers')).toBe(`unknown ${nowhere} does not answer: nothing listens there.`)
  expect(before.code).toBe(0)
  const { said } = await askDoctor({ environment: production })
  expect(said('site.answers')).toMatch(/^wrong /)
  for (const id of ['site.ready', 'site.clock', 'site.share-image', 'links.files', 'links.one-click'])
    expect(said(id)).toMatch(/^unknown .*not tried/)
})

test.each([
  ['another page', { status: 200, body: 'It works!' }, 'it shows another page'],
  ['a proxy without a server behind', { status: 502 }, 'it answers with status 502'],
  [
    'a redirect',
    { status: 301, headers: { location: 'https://www.bot.example/' } },
    'it redirects to https://www.bot',
  ],
])('%s is not our site', async (_name, answer, why) => {
  const { said, code } = await siteWith('/', answer)
  expect(said('site.answers')).toMatch(/^wrong http.* is not our page: /)
  expect(said('site.answers')).toContain(why)
  expect(code).toBe(1)
})

test('a site with a self-signed certificate is wrong', async () => {
  const server = createServer(await selfSignedCertificate(), (_request, response) => response.end()).listen(0)
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a string only for a pipe
  const { said } = await askDoctor({ environment: { PUBLIC_URL: `https://127.0.0.1:${port}` } })
  expect(said('site.answers')).toMatch(/^wrong .*cannot be trusted: its certificate is self-signed/)
})

test('a site at localhost is found without /etc/hosts, and another name is not', async () => {
  const url = await startHttp((_request, response) => response.end('<div id="app" data-page="landing">'))
  const refuse = (_name: string, _options: object, done: (fault: Error) => void) =>
    done(Object.assign(new Error('no name'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }))
  vi.spyOn(dns, 'lookup').mockImplementation(refuse as typeof dns.lookup) // it has more overloads
  onTestFinished(() => void vi.restoreAllMocks())
  expect(await askSite(url.replace('127.0.0.1', 'localhost'))).toMatchObject({ kind: 'ours' })
  expect(await askSite('http://bot.example')).toEqual({
    kind: 'silent',
    why: 'the DNS does not know its name',
  })
})

test('a site that never answers is given up', async () => {
  const url = await startHttp(() => {})
  expect(await askSite(url, 50)).toEqual({ kind: 'silent', why: 'no answer in 0.05 s' })
})

test('a site that is not ready says why', async () => {
  const { said } = await siteWith('/readyz', { status: 503, body: 'migrations are missing\n' })
  expect(said('site.ready')).toMatch(/^wrong .*answers 503, "migrations are missing"/)
})

test('a site that closes the connection of /readyz is not ready', async () => {
  const { said } = await siteWith('/readyz', { status: 0 })
  expect(said('site.ready')).toMatch(/^wrong .*\/readyz does not answer: it closed the connection/)
  expect(said('site.clock')).toMatch(/^unknown .*\/readyz does not answer: it closed the connection/)
})

test.each([
  [10, 'ok'],
  [60, 'wrong'],
])('a site whose clock is %i s ahead is %s', async (seconds, state) => {
  const date = new Date(Date.now() + seconds * 1000).toUTCString()
  const { said } = await siteWith('/readyz', { status: 200, headers: { date }, body: 'ready' })
  expect(said('site.clock')).toMatch(new RegExp(`^${state} The clocks of the site and of this machine are `))
})

test.each([
  ['missing', { status: 404 }, 'answers with status 404'],
  ['a page', { status: 200, headers: { 'content-type': 'text/html' } }, 'status 200 and text/html'],
])('a picture for shared links that is %s is wrong', async (_name, answer, what) => {
  const { said } = await siteWith('/og.png', answer)
  expect(said('site.share-image')).toMatch(/^wrong /)
  expect(said('site.share-image')).toContain(what)
})

test('a server that runs with another PUBLIC_URL is wrong', async () => {
  const body =
    '<meta property="og:image" content="https://old.example/og.png"/><div id="app" data-page="landing">'
  const { said } = await siteWith('/', { status: 200, body })
  expect(said('site.share-image')).toMatch(
    /^wrong The page names https:\/\/old.example as its address: the server runs with another PUBLIC_URL/,
  )
})

test('a page that names no picture for shared links is wrong', async () => {
  const { said } = await siteWith('/', { status: 200, body: '<div id="app" data-page="landing">' })
  expect(said('site.share-image')).toMatch(/^wrong The page names no picture/)
})
