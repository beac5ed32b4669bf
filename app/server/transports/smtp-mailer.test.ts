import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { listenHere } from '#rigs/listening.ts'
import { selfSignedCertificate } from '#rigs/mail/self-signed-certificate.ts'
import {
  type SmtpBehaviour,
  type SmtpInbox,
  type Stage,
  startSmtpInbox,
} from '#rigs/mail/smtp-inbox.ts'
import { sender, shortTemplate } from '#rigs/server/queue-mails.ts'
import { composeMail } from '#site/mail/compose-mail.ts'
import type { Progress } from './mailer.ts'
import { createSmtpMailer, type SmtpMailerOptions } from './smtp-mailer.ts'

const shortMs = 30_000
const long = { timeoutMs: 60_000, finalReplyTimeoutMs: 60_000 }
const ana = 'ana@example.com'
let inbox: SmtpInbox

beforeEach(async () => {
  inbox = await startSmtpInbox()
})
afterEach(() => inbox.close())

test('an accepted mail arrives once, at the address exactly as typed, and only there', async () => {
  expect(await openMailer().send(mailTo("O'Brien+bot@example.com"))).toMatchObject({
    kind: 'accepted',
  })
  expect(inbox.mails.map(({ from, to }) => ({ from, to }))).toEqual([
    { from: 'bot@mail.example', to: ["O'Brien+bot@example.com"] },
  ])
  expect((await openMailer().send(mailTo('ana@example.com, eve@example.com'))).kind).not.toBe(
    'accepted',
  )
  expect(inbox.mails).toHaveLength(1)
})

/** About us: the mail waits, uses up no try, and takes nobody off the list. */
const ours: { at: Stage; code: number; words?: string; why: string; progress: Progress }[] = [
  { at: 'greeting', code: 421, why: 'smtp 421 to CONN', progress: 'connecting' },
  { at: 'greeting', code: 554, why: 'smtp 554 to CONN', progress: 'connecting' },
  { at: 'ehlo', code: 421, why: 'smtp 421 to EHLO', progress: 'connecting' },
  { at: 'auth', code: 454, why: 'smtp 454 to AUTH PLAIN', progress: 'connecting' },
  { at: 'auth', code: 535, why: 'smtp 535 to AUTH PLAIN', progress: 'connecting' },
  { at: 'auth', code: 550, why: 'smtp 550 to AUTH PLAIN', progress: 'connecting' },
  { at: 'sender', code: 451, why: 'smtp 451 to MAIL FROM', progress: 'mail-begun' },
  { at: 'sender', code: 553, why: 'smtp 553 to MAIL FROM', progress: 'mail-begun' },
  {
    at: 'sender',
    code: 550,
    words: '5.4.5 Daily sending limit exceeded',
    why: 'smtp 550 5.4.5 to MAIL FROM',
    progress: 'mail-begun',
  },
  // 421 ends the session, whatever it answers.
  { at: 'sender', code: 421, why: 'smtp 421 to MAIL FROM', progress: 'mail-begun' },
  { at: 'recipient', code: 421, why: 'smtp 421 to CONN', progress: 'mail-begun' },
  { at: 'data', code: 421, why: 'smtp 421 to DATA', progress: 'mail-begun' },
  // These answers say nothing about the mailbox.
  {
    at: 'recipient',
    code: 550,
    words: 'Connection frequency limited',
    why: 'smtp 550 to RCPT TO',
    progress: 'mail-begun',
  },
  {
    at: 'recipient',
    code: 451,
    words: '4.7.1 You are sending too fast',
    why: 'smtp 451 4.7.1 to RCPT TO',
    progress: 'mail-begun',
  },
  {
    at: 'data',
    code: 554,
    words: '5.2.0 OutboundSpamException',
    why: 'smtp 554 5.2.0 to DATA',
    progress: 'mail-begun',
  },
]

test.each(ours)(
  '$why, answered at the $at, is about us, and the next mail goes out',
  async (one) => {
    const mailer = openMailer({ url: inbox.url.replace('//', '//bot:password@') })
    const { at: to, code, words, why, progress } = one
    inbox.behave({ does: 'answer', code, to, ...(words !== undefined && { words }) })
    expect(await mailer.send(mailTo(ana))).toMatchObject({ kind: 'relay-fault', why, progress })
    inbox.behave({ does: 'accept' })
    expect(await mailer.send(mailTo(ana))).toMatchObject({ kind: 'accepted' })
  },
)

interface AnswerAboutRecipient {
  to: Stage
  code: number
  words: string
  kind: 'deferred' | 'refused'
}

test.each<AnswerAboutRecipient>([
  { to: 'recipient', code: 450, words: 'Try again later', kind: 'deferred' },
  { to: 'data', code: 452, words: '4.2.2 Mailbox full', kind: 'deferred' },
  { to: 'recipient', code: 550, words: 'No such user here', kind: 'refused' },
  { to: 'recipient', code: 550, words: '5.1.1 User unknown', kind: 'refused' },
  { to: 'data', code: 550, words: '5.1.1 User unknown', kind: 'refused' },
])(
  'an answer to the $to of $code $words is about the recipient: $kind',
  async ({ to, code, words, kind }) => {
    const mailer = openMailer()
    inbox.behave({ does: 'answer', code, to, words })
    expect(await mailer.send(mailTo(ana))).toMatchObject({ kind })
    inbox.behave({ does: 'accept' })
    expect(await mailer.send(mailTo(ana))).toMatchObject({ kind: 'accepted' })
  },
)

test.each<[string, SmtpBehaviour]>([
  ['a cut in the mail', { does: 'cut-in-data' }],
  ['a cut before the 250', { does: 'cut-before-answer' }],
])('after %s the next mail goes out', async (_name, behaviour) => {
  const mailer = openMailer()
  inbox.behave(behaviour)
  const why = expect.stringContaining('ECONN')
  expect(await mailer.send(mailTo(ana))).toMatchObject({ kind: 'relay-fault', why })
  inbox.behave({ does: 'accept' })
  expect(await mailer.send(mailTo(ana))).toMatchObject({ kind: 'accepted' })
})

test.each<[Stage, Progress, Partial<SmtpMailerOptions>]>([
  ['greeting', 'connecting', { timeoutMs: shortMs }],
  ['recipient', 'mail-begun', { timeoutMs: shortMs }],
  // The final reply has a limit of its own.
  ['data', 'body-sent', { finalReplyTimeoutMs: shortMs }],
])(
  'a server that is mute at the %s is given up after its time (%s), and others are not held up',
  async (at, progress, limit) => {
    const mailer = openMailer(limit)
    inbox.behave({ does: 'stay-mute', at })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const sending = mailer.send(mailTo(ana))
    await expect.poll(() => inbox.silences).toBe(1)
    vi.advanceTimersByTime(shortMs)
    expect(await sending).toMatchObject({ kind: 'relay-fault', why: 'ETIMEDOUT', progress })
    vi.useRealTimers()
    inbox.behave({ does: 'accept' })
    await expect
      .poll(async () => (await mailer.send(mailTo('next@example.com'))).kind)
      .toBe('accepted')
  },
)

test('a recipient that the server never answers does not hold up others', async () => {
  inbox.behave((recipient) =>
    recipient === ana ? { does: 'stay-mute', at: 'recipient' } : { does: 'accept' },
  )
  const mailer = openMailer()
  const mute = mailer.send(mailTo(ana))
  for (const name of ['b', 'c']) {
    expect(await mailer.send(mailTo(`${name}@example.com`))).toMatchObject({ kind: 'accepted' })
  }
  await mailer.close()
  expect(await mute).toMatchObject({ kind: 'broken-off' })
})

test('a server that is down is away, and the same mailer works when it is back', async () => {
  const mailer = openMailer()
  await inbox.close()
  const away = { kind: 'relay-fault', why: 'ECONNREFUSED', progress: 'connecting' }
  expect(await mailer.send(mailTo(ana))).toMatchObject(away)
  await inbox.reopen()
  expect(await mailer.send(mailTo(ana))).toMatchObject({ kind: 'accepted' })
})

test.each([
  ['has expired', new Date(Date.now() - 60_000), 'CERT_HAS_EXPIRED'],
  ['is for another name', undefined, 'ERR_TLS_CERT_ALTNAME_INVALID'],
])('a certificate that %s is about us', async (_what, notAfter, why) => {
  const name = notAfter ? '127.0.0.1' : 'relay.example'
  const certificate = await selfSignedCertificate(name, notAfter)
  const relay = await startSmtpInbox(0, { ...certificate, secure: true })
  onTestFinished(() => relay.close())
  const authority = encodeURIComponent(certificate.cert)
  const mailer = openMailer({ url: `smtps://127.0.0.1:${relay.port}?tls.ca=${authority}` })
  const refused = { kind: 'relay-fault', why, progress: 'connecting' }
  expect(await mailer.send(mailTo(ana))).toMatchObject(refused)
})

test('smtps:// to a port without TLS is about us', async () => {
  const mailer = openMailer({ url: inbox.url.replace('smtp:', 'smtps:'), timeoutMs: 2_000 })
  expect(await mailer.send(mailTo(ana))).toMatchObject({
    kind: 'relay-fault',
    progress: 'connecting',
  })
})

test('an attempt that closing the mailer broke off is told apart, an answer before it is not', async () => {
  inbox.behave((recipient) =>
    recipient === ana
      ? { does: 'stay-mute', at: 'data' }
      : { does: 'answer', code: 550, to: 'recipient', words: 'No such user' },
  )
  const mailer = openMailer()
  const mute = mailer.send(mailTo(ana))
  await inbox.arrival(1)
  const refused = mailer.send(mailTo('nobody@example.com'))
  await expect.poll(() => inbox.refusals).toBe(1)
  await mailer.close()
  expect(await mute).toMatchObject({ kind: 'broken-off' })
  expect(await refused).toMatchObject({ kind: 'refused' })
  expect(await mailer.send(mailTo(ana))).toMatchObject({ kind: 'broken-off' })
})

test('close lets a send in flight finish', async () => {
  const mailer = openMailer()
  const sending = mailer.send(mailTo(ana))
  await inbox.arrival(1)
  await mailer.close()
  expect(await sending).toMatchObject({ kind: 'accepted' })
})

test('without encryption neither password nor mail goes to a relay that is not on this machine', async () => {
  for (const user of ['user:secret@', '']) {
    const remote = openMailer({ url: `smtp://${user}0.0.0.0:${inbox.port}` }) // this machine, by an address that is not loopback
    expect(await remote.send(mailTo(ana))).toMatchObject({
      kind: 'relay-fault',
      why: 'smtp 500 to STARTTLS',
      progress: 'connecting',
    })
  }
  expect(inbox.mails).toEqual([])
  const local = openMailer({ url: `smtp://user:secret@localhost:${inbox.port}` })
  expect(await local.send(mailTo(ana))).toMatchObject({ kind: 'accepted' })
})

test('a server that hangs up at once is not asked again and again', async () => {
  let connections = 0
  const hangUp = createServer((socket) => {
    connections += 1
    socket.end()
  })
  onTestFinished(() => void hangUp.close())
  const mailer = openMailer({ url: `smtp://127.0.0.1:${await listenHere(hangUp)}` })
  expect(await mailer.send(mailTo(ana))).toMatchObject({
    kind: 'relay-fault',
    why: 'ECONNECTION',
    progress: 'connecting',
  })
  expect(connections).toBeLessThanOrEqual(2)
})

test('a DKIM signature covers both headers of the one-click unsubscribe', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const dkim = { domain: 'bot.example', selector: 'one', privateKey: pem }
  await openMailer({ dkim }).send(mailTo(ana))
  const raw = inbox.mails[0]?.raw.toString() ?? ''
  const signature =
    /^DKIM-Signature:.*(?:\r?\n[ \t].*)*/im.exec(raw)?.[0].replaceAll(/\s/g, '') ?? ''
  expect(signature).toContain('d=bot.example')
  expect(/;h=([^;]+)/i.exec(signature)?.[1]?.toLowerCase().split(':')).toEqual(
    expect.arrayContaining([
      'from',
      'to',
      'date',
      'message-id',
      'list-unsubscribe',
      'list-unsubscribe-post',
    ]),
  )
})

function openMailer(options: Partial<SmtpMailerOptions> = {}) {
  const mailer = createSmtpMailer({ url: inbox.url, ...long, ...options })
  onTestFinished(() => mailer.close())
  return mailer
}

function mailTo(address: string) {
  const delivery = {
    address,
    token: 'A'.repeat(22),
    messageId: '<1@bot.example>',
    date: new Date(0),
  }
  return composeMail(shortTemplate, sender, delivery)
}
