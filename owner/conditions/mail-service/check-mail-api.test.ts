import { expect, onTestFinished, test } from 'vitest'
import { type ApiBehaviour, documented, startMailApiServer } from '#rigs/mail/mail-api-server.ts'
import { makeProjectFolder } from '#rigs/owner/doctor-site.ts'
import { askDoctor } from '#rigs/owner/doctor-terminal.ts'

const { resend, postmark } = documented
const domains = (status: string) => ({
  status: 200,
  body: { object: 'list', data: [{ id: 'd1', name: 'example.com', status }] },
})

async function asOf(provider: 'resend' | 'postmark', behaviour: ApiBehaviour, ...words: string[]) {
  const api = await startMailApiServer(behaviour)
  onTestFinished(() => api.close())
  const found = await askDoctor(
    {
      environment: {
        MAIL_API: provider,
        MAIL_API_KEY: 'a-secret-key',
        MAIL_API_BASE_URL: api.url,
        MAIL_FROM: 'Bot <bot@example.com>',
      },
      outside: { folder: makeProjectFolder(), ...(behaviour === 'mute' && { answerMs: 50 }) },
    },
    ...words,
  )
  expect(JSON.stringify(found.conditions)).not.toContain('a-secret-key')
  return { ...found, api, host: new URL(api.url).host }
}

test('a known key with a verified domain is ok, and no mail is sent', async () => {
  const { said, api, host } = await asOf('resend', domains('verified'))
  expect(said('mail.connects')).toBe(`fine ${host} answers.`)
  expect(said('mail.login')).toBe(`fine ${host} knows the key.`)
  expect(said('mail.sender')).toBe('fine example.com is verified at Resend.')
  expect(api.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /domains'])
})

test('a domain that is not verified, or not there, is wrong', async () => {
  expect((await asOf('resend', domains('pending'))).said('mail.sender')).toBe(
    'error example.com is not verified yet at Resend.',
  )
  const none = { status: 200, body: { data: [] } }
  expect((await asOf('resend', none)).said('mail.sender')).toBe(
    'error example.com is not a domain of this account at Resend.',
  )
})

test('a key of Resend that may only send is ok', async () => {
  const { said, host } = await asOf('resend', resend.error(401, 'restricted_api_key'))
  expect(said('mail.login')).toBe(`fine ${host} knows the key.`)
  expect(said('mail.sender')).toMatch(/^not-checked /)
})

test.each([
  ['resend', resend.error(403, 'invalid_api_key', 'API key is invalid')],
  ['postmark', postmark.error(401, 10)],
] as const)('a key that %s refuses is wrong', async (provider, behaviour) => {
  const { said, code } = await asOf(provider, behaviour)
  expect(said('mail.login')).toMatch(/^error .* refuses the key: 40[13] (?:invalid_api_key|10) /)
  expect(code).toBe(1)
})

test("a server's token is checked at Postmark", async () => {
  const { said, api, host } = await asOf('postmark', { status: 200, body: { ID: 1, Name: 'Bot' } })
  expect(said('mail.login')).toBe(`fine ${host} knows the key.`)
  expect(api.requests).toMatchObject([
    { path: '/server', headers: { 'x-postmark-server-token': 'a-secret-key' } },
  ])
})

test.each<[string, ApiBehaviour, RegExp]>([
  ['another server', { status: 404 }, /^error .* answers with status 404/],
  ['a server that stays mute', 'mute', /^error .* does not answer: .* \(ETIMEDOUT\)\./],
  ['a cut line', 'cut', /^error .* does not answer: the connection broke \(ECONNRESET\)\./],
  ['an error of the provider', { status: 500 }, /^error .* answers with status 500/],
])('%s is reported', async (_name, behaviour, words) => {
  expect((await asOf('postmark', behaviour)).said('mail.connects')).toMatch(words)
})

test('the test mail goes over the API, and a refusal is reported in the words of the provider', async () => {
  const sent = await asOf('postmark', postmark.accepted, '--send-test', 'ada@example.com')
  expect(sent.said('mail.test')).toMatch(
    /^fine The test mail to ada@example.com was accepted: postmark 200/,
  )
  expect(sent.api.requests.map(({ path }) => path).toSorted()).toEqual(['/email', '/server'])
  const refused = await asOf(
    'postmark',
    postmark.error(422, 406, 'Inactive.'),
    '--send-test',
    'ada@example.com',
  )
  expect(refused.said('mail.test')).toMatch(
    /^error The mail server did not accept .*: postmark 422 406 Inactive\./,
  )
})
