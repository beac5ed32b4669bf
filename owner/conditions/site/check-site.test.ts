import { createServer } from 'node:https'
import { expect, onTestFinished, test } from 'vitest'
import { listenHere, serveHttp } from '#rigs/listening.ts'
import { selfSignedCertificate } from '#rigs/mail/self-signed-certificate.ts'
import { type ProxyAnswer, startDoctorSite } from '#rigs/owner/doctor-site.ts'
import { askDoctor, nowhere } from '#rigs/owner/doctor-terminal.ts'

/** Runs the doctor on a running site whose proxy answers one path. */
async function siteWith(path: RegExp, answer: ProxyAnswer) {
  const site = await startDoctorSite((request) =>
    path.test(request.url ?? '') ? answer : undefined,
  )
  return askDoctor({ environment: site.environment, outside: { folder: site.folder } })
}

/** Runs the doctor on a site behind proxies that name themselves in X-Forwarded-For. */
async function behind(client: string, trustedProxies: number, more: Record<string, string> = {}) {
  const site = await startDoctorSite(undefined, { client, trustedProxies })
  const environment = { ...site.environment, ...more }
  return (await askDoctor({ environment, outside: { folder: site.folder } })).said(
    'site.client-address',
  )
}

const production = { NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1:1' }

test('a site that does not answer is not checked in development, and blocks in production', async () => {
  const before = await askDoctor({})
  expect(before.said('site.answers')).toMatch(
    new RegExp(
      `^not-checked ${nowhere}/ does not answer: it cannot be reached \\(ECONNREFUSED\\)\\.`,
    ),
  )
  expect(before.code).toBe(0)
  const { said } = await askDoctor({ environment: production })
  expect(said('site.answers')).toMatch(/^blocks /)
  for (const id of ['site.client-address', 'site.one-click']) expect(said(id)).toBe('')
})

test('a site that never answers is not waited for', async () => {
  const { url, close } = await serveHttp(() => {})
  onTestFinished(close)
  const { said } = await askDoctor({
    environment: { PUBLIC_URL: url },
    outside: { answerMs: 50 },
  })
  expect(said('site.answers')).toMatch(/^not-checked .* does not answer: .* \(ETIMEDOUT\)\./)
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
  const { said, code } = await siteWith(/^\/$/, answer)
  expect(said('site.answers')).toMatch(/^error http.* does not show your page: /)
  expect(said('site.answers')).toContain(why)
  expect(code).toBe(1)
})

test('a site with a self-signed certificate is wrong', async () => {
  const server = createServer(await selfSignedCertificate(), (_request, response) => response.end())
  onTestFinished(() => void server.close())
  const PUBLIC_URL = `https://127.0.0.1:${await listenHere(server)}`
  const { said } = await askDoctor({ environment: { PUBLIC_URL, ...production } })
  expect(said('site.answers')).toMatch(
    /^blocks .*: its certificate cannot be verified \(DEPTH_ZERO_SELF_SIGNED_CERT\)\./,
  )
})

test('a server that takes itself for another address is wrong', async () => {
  const body =
    '<meta property="og:image" content="https://old.example/og.png"/><div id="app" data-page="landing">'
  const { said } = await siteWith(/^\/$/, { status: 200, body })
  expect(said('site.answers')).toMatch(
    /^error The server behind .* takes itself for another address/,
  )
})

test.each([403, 405, 308])(
  'a proxy that answers one-click unsubscribe with %i is wrong',
  async (status) => {
    const { said } = await siteWith(/^\/kit\/.*unsubscribe/, { status })
    expect(said('site.one-click')).toMatch(
      new RegExp(`^error .*with status ${status} instead of 404`),
    )
  },
)

test.each([
  { status: 404, headers: { 'content-type': 'image/png' } },
  { status: 200, headers: { 'content-type': 'text/html' } },
])('a proxy that answers for the picture of shared links with %o is wrong', async (answer) => {
  const { said } = await siteWith(/^\/og\.png$/, answer)
  expect(said('site.share-image')).toMatch(/^error .* not with a picture/)
})

test('the address that the site derives for a client is shown', async () => {
  expect(await behind('198.51.100.7', 1)).toBe(
    'fine The site sees this machine as 198.51.100.7 and counts one proxy in front of it.',
  )
  expect(await behind('', 0)).toMatch(
    /^fine The site sees this machine as .*127\.0\.0\.1 and counts 0 proxies in front of it\.$/,
  )
})

test('proxies that TRUST_PROXY does not count are wrong, with their number', async () => {
  expect(await behind('198.51.100.7', 0)).toMatch(
    /^error .*one proxy names itself .* but the server counts 0\.$/,
  )
  const twoHops = await startDoctorSite(undefined, {
    client: '198.51.100.7, 10.0.0.2',
    trustedProxies: 1,
  })
  const { of } = await askDoctor({ environment: twoHops.environment })
  expect(of('site.client-address')).toMatchObject([
    { severity: 'error', record: { name: 'TRUST_PROXY', type: 'setting', value: '2' } },
  ])
})

test('a private address is a warning in production', async () => {
  expect(await behind('10.0.0.2', 1, production)).toMatch(
    /^warning The site sees this machine as 10\.0\.0\.2/,
  )
})

test('nobody without the secret of a doctor learns an address, and a site on another database is found', async () => {
  const { behind: server, environment, folder } = await startDoctorSite()
  for (const authorization of ['', 'Bearer ', 'Bearer guess']) {
    const answer = await fetch(`${server}/doctor/client-address`, {
      method: 'POST',
      headers: { authorization },
    })
    expect(answer.status).toBe(404)
  }
  const { DATABASE_URL: _own, ...elsewhere } = environment
  const { said } = await askDoctor({ environment: elsewhere, outside: { folder } })
  expect(said('site.answers')).toMatch(
    /^error Another server than this one answers at .*: it does not know the secret/,
  )
})

/** `fetch` refuses this port before it asks the real DNS for the name. */
const dualStack = 'https://bot.invalid:1'

test.each([
  ['an IPv4 address', { ipv4: ['192.0.2.7'], ipv6: ['2001:db8::7'] }, /^fine .* 192\.0\.2\.7\.$/],
  [
    'only an IPv6 address',
    { ipv6: ['2001:db8::7'] },
    /^warning .* has no IPv4 address, only 2001:db8::7/,
  ],
  ['no address', {}, /^$/],
])(
  'a name with %s',
  async (_what, { ipv4 = [], ipv6 = [] }: { ipv4?: string[]; ipv6?: string[] }, words) => {
    const { said } = await askDoctor({
      environment: { PUBLIC_URL: dualStack, ...production },
      addresses: {
        ...(ipv4.length > 0 && { ipv4: { 'bot.invalid': ipv4 } }),
        ...(ipv6.length > 0 && { ipv6: { 'bot.invalid': ipv6 } }),
      },
    })
    expect(said('site.ipv4')).toMatch(words)
  },
)

test('where no name of the internet is known, the address is not checked, and that is no error', async () => {
  const { said } = await askDoctor({
    environment: { PUBLIC_URL: dualStack, ...production },
    addresses: { isClosed: true },
  })
  expect(said('site.answers')).toMatch(/^not-checked /)
  expect(said('site.ipv4')).toMatch(/^not-checked /)
})
