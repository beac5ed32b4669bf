import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  type ApiBehaviour,
  documented,
  type MailApiServer,
  startMailApiServer,
} from '#rigs/mail/mail-api-server.ts'
import { createMailApi, readRetryAfter } from './mail-api.ts'
import type { MailMessage } from '#site/mail/mail-message.ts'

const timeouts = { timeoutMs: 60_000, finalReplyTimeoutMs: 60_000 }
const key = 'a-secret-key'
const { resend, postmark } = documented
let api: MailApiServer

beforeEach(async () => {
  api = await startMailApiServer(resend.accepted)
})
afterEach(() => api.close())

function openMailer(provider: 'resend' | 'postmark', options = {}) {
  const access = { provider, key, baseUrl: api.url }
  const mailer = createMailApi({ ...access, ...timeouts, ...options })
  onTestFinished(() => mailer.close())
  return mailer
}

const mail: MailMessage = {
  from: { name: 'Bot, the "first"', address: 'bot@bot.example' },
  to: "O'Brien+bot@example.com",
  replyTo: 'help@bot.example',
  subject: 'Your free bot – today',
  text: 'Hello',
  html: '<p>Hello</p>',
  messageId: '<1@bot.example>',
  date: new Date('2025-11-21T12:00:00Z'),
  headers: {
    'List-Unsubscribe': '<https://bot.example/kit/T/unsubscribe>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'Auto-Submitted': 'auto-generated',
  },
}

describe('the request of one mail', () => {
  test('to Resend', async () => {
    expect(await openMailer('resend', { baseUrl: `${api.url}/v1` }).send(mail)).toMatchObject({
      kind: 'accepted',
    })
    const [request, ...more] = api.requests
    expect(more).toEqual([])
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v1/emails',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': '<1@bot.example>',
      },
    })
    expect(request?.body).toEqual({
      from: String.raw`"Bot, the \"first\"" <bot@bot.example>`,
      to: ["O'Brien+bot@example.com"],
      reply_to: 'help@bot.example',
      subject: 'Your free bot – today',
      text: 'Hello',
      html: '<p>Hello</p>',
      headers: { 'Message-ID': '<1@bot.example>', ...mail.headers },
    })
  })

  test('to Postmark, without its tracking', async () => {
    api.behave(postmark.accepted)
    expect(await openMailer('postmark').send(mail)).toMatchObject({ kind: 'accepted' })
    const [request, ...more] = api.requests
    expect(more).toEqual([])
    expect(request).toMatchObject({
      method: 'POST',
      path: '/email',
      headers: { 'x-postmark-server-token': key },
    })
    expect(request?.body).toEqual({
      From: String.raw`"Bot, the \"first\"" <bot@bot.example>`,
      To: "O'Brien+bot@example.com",
      ReplyTo: 'help@bot.example',
      Subject: 'Your free bot – today',
      TextBody: 'Hello',
      HtmlBody: '<p>Hello</p>',
      Headers: [
        { Name: 'Message-ID', Value: '<1@bot.example>' },
        { Name: 'X-PM-KeepID', Value: 'true' },
        { Name: 'List-Unsubscribe', Value: '<https://bot.example/kit/T/unsubscribe>' },
        { Name: 'List-Unsubscribe-Post', Value: 'List-Unsubscribe=One-Click' },
        { Name: 'Auto-Submitted', Value: 'auto-generated' },
      ],
      TrackOpens: false,
      TrackLinks: 'None',
    })
  })

  test.each(['a@x.co, b@x.co', 'a@x.co;b@x.co', 'Eve <e@x.co>', 'a@x.co\r\nBcc: b@x.co', 'nobody'])(
    'is not made for "%s", which is not one address',
    async (to) => {
      for (const provider of ['resend', 'postmark'] as const) {
        expect(await openMailer(provider).send({ ...mail, to })).toMatchObject({
          kind: 'relay-fault',
          why: 'EENVELOPE',
        })
      }
      expect(api.requests).toEqual([])
    },
  )
})

type Refusal = [provider: 'resend' | 'postmark', code: string, answer: ApiBehaviour]

/** The fields of Postmark's manual. */
const inactive =
  "You tried to send to a recipient that has been marked as inactive. Found inactive addresses: o'brien+bot@example.com. Inactive recipients are ones that have generated a hard bounce, a spam complaint, or a manual suppression."
const illegal = "Illegal email address 'o'brien+bot@example.com'."

test.each<Refusal>([
  ['resend', '422 validation_error', resend.error(422, 'validation_error', 'Invalid `to` field.')],
  [
    'resend',
    '400 validation_error',
    resend.error(400, 'validation_error', "o'brien+bot@example.com is not valid."),
  ],
  ['postmark', '422 300', postmark.error(422, 300, illegal)],
  ['postmark', '422 300', postmark.error(422, 300, "Error parsing 'To'.")],
  ['postmark', '422 406', postmark.error(422, 406, inactive)],
])('%s: an answer that names the recipient is about them: %s', async (provider, code, answer) => {
  api.behave(answer)
  const why = `${provider} ${code}`
  expect(await openMailer(provider).send(mail)).toMatchObject({ kind: 'refused', why })
})

const testingOnly =
  "You can only send testing emails to your own address. To send to other recipients (O'Brien+bot@example.com), verify a domain and change the `from` address."

test.each<Refusal>([
  ['resend', '400 validation_error', resend.error(400, 'validation_error', 'API key is invalid')],
  ['resend', '401 missing_api_key', resend.error(401, 'missing_api_key')],
  ['resend', '403 validation_error', resend.error(403, 'validation_error', testingOnly)],
  ['resend', '422 validation_error', resend.error(422, 'validation_error', testingOnly)],
  ['resend', '404 not_found', resend.error(404, 'not_found')],
  ['resend', '409 invalid_idempotent_request', resend.error(409, 'invalid_idempotent_request')],
  ['resend', '422 invalid_from_address', resend.error(422, 'invalid_from_address')],
  [
    'resend',
    '422 validation_error',
    resend.error(422, 'validation_error', 'Invalid `from` field.'),
  ],
  ['resend', '429 rate_limit_exceeded', resend.error(429, 'rate_limit_exceeded')],
  ['resend', '451 security_error', resend.error(451, 'security_error')],
  ['resend', '500 internal_server_error', resend.error(500, 'internal_server_error', illegal)],
  ['resend', '503', { status: 503 }],
  ['resend', '200', { status: 200, body: 'a page of something between' }],
  ['postmark', '401 10', postmark.error(401, 10)],
  ['postmark', '404', { status: 404 }],
  ['postmark', '422 300', postmark.error(422, 300, "Invalid 'From' address: 'x'.")],
  ['postmark', '422 412', postmark.error(422, 412, testingOnly)],
  ['postmark', '422 413', postmark.error(422, 413)],
  ['postmark', '429 429', postmark.error(429, 429)],
  ['postmark', '500', { status: 500 }],
  ['postmark', '503 100', postmark.error(503, 100)],
])('%s: every other answer is about us: %s, case %#', async (provider, code, answer) => {
  api.behave(answer)
  const outcome = await openMailer(provider).send(mail)
  const why = `${provider} ${code}`
  expect(outcome).toMatchObject({ kind: 'relay-fault', why, progress: 'mail-begun' })
  expect(JSON.stringify(outcome)).not.toContain(key)
})

test.each(['resend', 'postmark'] as const)('%s may ask for a wait', async (provider) => {
  api.behave({ status: 429, headers: { 'retry-after': '7' } })
  expect(await openMailer(provider).send(mail)).toMatchObject({ retryAfterMs: 7000 })
})

describe.each(['resend', 'postmark'] as const)('%s', (provider) => {
  test.each<[string, ApiBehaviour, string]>([
    ['does not answer', 'mute', 'ETIMEDOUT'],
    ['cuts the line', 'cut', 'ECONNRESET'],
    ['cuts the line in its answer', 'cut-in-answer', 'ECONNRESET'],
  ])('that %s is tried again, and the next mail goes out', async (_name, behaviour, why) => {
    const mailer = openMailer(provider, behaviour === 'mute' ? { finalReplyTimeoutMs: 1_000 } : {})
    api.behave(behaviour)
    const unanswered = { kind: 'relay-fault', why, progress: 'body-sent' }
    expect(await mailer.send(mail)).toMatchObject(unanswered)
    api.behave(documented[provider].accepted)
    expect(await mailer.send(mail)).toMatchObject({ kind: 'accepted' })
    expect(api.requests).toHaveLength(2)
  })

  test('that is down is away, and the same mailer works when it is back', async () => {
    const { port } = api
    const mailer = openMailer(provider)
    await api.close()
    const down = { kind: 'relay-fault', why: 'ECONNREFUSED', progress: 'connecting' }
    expect(await mailer.send(mail)).toMatchObject(down)
    api = await startMailApiServer(documented[provider].accepted, port)
    expect(await mailer.send(mail)).toMatchObject({ kind: 'accepted' })
  })

  test('that redirects does not get the key at another address', async () => {
    const other = await startMailApiServer(documented[provider].accepted)
    onTestFinished(() => other.close())
    api.behave({ status: 307, headers: { location: `${other.url}/emails` } })
    expect(await openMailer(provider).send(mail)).toMatchObject({ kind: 'relay-fault' })
    expect(other.requests).toEqual([])
  })
})

test('close lets a send in flight finish within its grace period, and no longer', async () => {
  api.behave('mute')
  const mailer = openMailer('resend', { finalReplyTimeoutMs: 60_000 })
  const sending = mailer.send(mail)
  await expect.poll(() => api.requests).toHaveLength(1)
  await mailer.close()
  expect(await sending).toMatchObject({ kind: 'broken-off' })
})

test('Retry-After is seconds or a date, and at most a day', () => {
  const now = Date.parse('2026-01-05T12:00:00Z')
  expect(readRetryAfter('120', now)).toBe(120_000)
  expect(readRetryAfter('Mon, 05 Jan 2026 12:01:00 GMT', now)).toBe(60_000)
  expect(readRetryAfter('Mon, 05 Jan 2026 11:00:00 GMT', now)).toBe(0)
  expect(readRetryAfter('9'.repeat(12), now)).toBe(86_400_000)
  expect([readRetryAfter('soon', now), readRetryAfter(null, now)]).toEqual([undefined, undefined])
})
