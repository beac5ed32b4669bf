import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { listenHere } from '#rigs/listening.ts'
import { type SmtpBehaviour, type SmtpInbox, startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { shortTemplate } from '#rigs/server/queue-mails.ts'
import { composeStarterEmail } from '#mail/compose-starter-email.ts'
import { createSmtpMailer, type SmtpMailerOptions } from './smtp-mailer.ts'

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

test.each<[string, SmtpBehaviour, string, string]>([
  [
    'a 554 as greeting',
    { does: 'answer', code: 554, to: 'greeting' },
    'temporary',
    'smtp 554 to CONN',
  ],
  [
    '421 to the recipient',
    { does: 'answer', code: 421, to: 'recipient' },
    'temporary',
    'smtp 421 to CONN',
  ],
  ['a 552 to the mail', { does: 'answer', code: 552, to: 'data' }, 'permanent', 'smtp 552 to DATA'],
  ['a cut in the mail', { does: 'cut-in-data' }, 'temporary', 'ECONN'],
  ['a cut before the 250', { does: 'cut-before-answer' }, 'temporary', 'ECONN'],
])('after %s the next mail goes out', async (_name, behaviour, kind, why) => {
  const mailer = openMailer()
  inbox.behave(behaviour)
  expect(await mailer.send(mailTo(ana))).toMatchObject({ kind, why: expect.stringContaining(why) })
  inbox.behave({ does: 'accept' })
  expect(await mailer.send(mailTo(ana))).toMatchObject({ kind: 'accepted' })
})

test.each<['greeting' | 'recipient' | 'data', Partial<SmtpMailerOptions>]>([
  ['greeting', { timeoutMs: 1_000 }],
  ['recipient', { timeoutMs: 1_000 }],
  // The final reply has a limit of its own.
  ['data', { finalReplyTimeoutMs: 500 }],
])(
  'a server that is mute at the %s is given up after its time, and others are not held up',
  async (at, limit) => {
    const mailer = openMailer(limit)
    inbox.behave({ does: 'stay-mute', at })
    expect(await mailer.send(mailTo(ana))).toMatchObject({ kind: 'temporary', why: 'ETIMEDOUT' })
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
  expect(await mute).toMatchObject({ kind: 'temporary' })
})

test('a server that is down is away, and the same mailer works when it is back', async () => {
  const mailer = openMailer()
  await inbox.close()
  const away = { kind: 'temporary', why: 'ECONNREFUSED', isRelayAway: true }
  expect(await mailer.send(mailTo(ana))).toMatchObject(away)
  await inbox.reopen()
  expect(await mailer.send(mailTo(ana))).toMatchObject({ kind: 'accepted' })
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
      kind: 'temporary',
      why: 'smtp 500 to STARTTLS',
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
  expect(await mailer.send(mailTo(ana))).toMatchObject({ kind: 'temporary', why: 'ECONNECTION' })
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
  const mailer = createSmtpMailer({ url: inbox.url, concurrency: 2, ...long, ...options })
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
  return composeStarterEmail(shortTemplate, delivery)
}
