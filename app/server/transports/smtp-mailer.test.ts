import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type SmtpBehaviour, type SmtpInbox, startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { prepareStarterEmail } from '#mail/compose-starter-email.ts'
import type { Mailer } from './mailer.ts'
import { createSmtpMailer, type SmtpMailerOptions } from './smtp-mailer.ts'

/** Long enough for a busy machine, short enough for tests that wait for its end. */
const timeouts = { timeoutMs: 800, finalReplyTimeoutMs: 1800 }
let inbox: SmtpInbox

beforeEach(async () => {
  inbox = await startSmtpInbox()
})
afterEach(() => inbox.close())

function openMailer(options: Partial<SmtpMailerOptions> = {}): Mailer {
  const mailer = createSmtpMailer({ url: inbox.url, concurrency: 2, ...timeouts, ...options })
  onTestFinished(() => mailer.close())
  return mailer
}

const compose = await prepareStarterEmail({
  subject: 'Your free bot',
  html: '<p>{{address}} {{unsubscribeUrl}}</p>',
  text: '{{address}}\n.\n',
  from: 'Starter Bot <starter@bot.example>',
  replyTo: 'help@bot.example',
  publicUrl: 'https://bot.example',
})

function mailTo(address: string, messageId = '<1@bot.example>') {
  const date = new Date('2025-11-21T12:00:00Z')
  return compose({ address, token: 'AbCdEfGhIjKlMnOpQrStUv', messageId, date })
}

const ana = 'ana@example.com'

test('an accepted mail arrives once, at the address exactly as typed', async () => {
  expect(await openMailer().send(mailTo("O'Brien+bot@example.com"))).toMatchObject({ kind: 'accepted' })
  expect(inbox.mails.map(({ from, to }) => ({ from, to }))).toEqual([
    { from: 'starter@bot.example', to: ["O'Brien+bot@example.com"] },
  ])
})

test('a mail sent again after a cut before the 250 has the same bytes', async () => {
  const mailer = openMailer()
  inbox.behave({ does: 'cut-before-answer' })
  expect(await mailer.send(mailTo(ana))).toMatchObject({ kind: 'temporary' })
  inbox.behave({ does: 'accept' })
  expect(await mailer.send(mailTo(ana))).toMatchObject({ kind: 'accepted' })
  const [first, second, third] = inbox.mails
  expect(third).toBeUndefined()
  expect(second?.raw.equals(first?.raw ?? Buffer.alloc(0))).toBe(true)
})

const faults: [string, SmtpBehaviour, string, string][] = [
  ['a 421 as greeting', { does: 'answer', code: 421, to: 'greeting' }, 'temporary', 'smtp 421 to CONN'],
  ['a 554 as greeting', { does: 'answer', code: 554, to: 'greeting' }, 'temporary', 'smtp 554 to CONN'],
  ['421 to the recipient', { does: 'answer', code: 421, to: 'recipient' }, 'temporary', 'smtp 421 to CONN'],
  [
    '451 to the recipient',
    { does: 'answer', code: 451, to: 'recipient' },
    'temporary',
    'smtp 451 to RCPT TO',
  ],
  ['a 550 to the sender', { does: 'answer', code: 550, to: 'sender' }, 'permanent', 'smtp 550 to MAIL FROM'],
  [
    '550 to the recipient',
    { does: 'answer', code: 550, to: 'recipient' },
    'permanent',
    'smtp 550 to RCPT TO',
  ],
  ['a 451 to the mail', { does: 'answer', code: 451, to: 'data' }, 'temporary', 'smtp 451 to DATA'],
  ['a 552 to the mail', { does: 'answer', code: 552, to: 'data' }, 'permanent', 'smtp 552 to DATA'],
  ['silence instead of a greeting', { does: 'stay-mute', at: 'greeting' }, 'temporary', 'ETIMEDOUT'],
  ['silence after the recipient', { does: 'stay-mute', at: 'recipient' }, 'temporary', 'ETIMEDOUT'],
  ['silence after the mail', { does: 'stay-mute', at: 'data' }, 'temporary', 'ETIMEDOUT'],
  ['a cut in the mail', { does: 'cut-in-data' }, 'temporary', 'ECONN'],
  ['a cut before the 250', { does: 'cut-before-answer' }, 'temporary', 'ECONN'],
]

test.each(faults)('after %s the next mail goes out', async (_name, behaviour, kind, why) => {
  const mailer = openMailer()
  inbox.behave(behaviour)
  const sending = await mailer.send(mailTo(ana))
  expect(sending).toMatchObject({ kind, why: expect.stringContaining(why) })
  inbox.behave({ does: 'accept' })
  expect(await mailer.send(mailTo('next@example.com'))).toMatchObject({ kind: 'accepted' })
})

test('a server that is down is a temporary error, and the same mailer works when it is back', async () => {
  const { port } = inbox
  const mailer = openMailer()
  await inbox.close()
  expect(await mailer.send(mailTo(ana))).toMatchObject({ kind: 'temporary', why: 'ECONNREFUSED' })
  inbox = await startSmtpInbox(port)
  expect(await mailer.send(mailTo(ana))).toMatchObject({ kind: 'accepted' })
})

test('a recipient that the server never answers does not hold up others', async () => {
  inbox.behave((recipient) =>
    recipient === ana ? { does: 'stay-mute', at: 'recipient' } : { does: 'accept' },
  )
  const mailer = openMailer()
  const order: string[] = []
  await Promise.all(
    [ana, 'b@example.com', 'c@example.com'].map(async (address) => {
      order.push(`${(await mailer.send(mailTo(address))).kind} ${address}`)
    }),
  )
  expect(order).toEqual(['accepted b@example.com', 'accepted c@example.com', `temporary ${ana}`])
})

test('the final reply may take longer than everything before it', async () => {
  const mailer = openMailer()
  async function timeToGiveUp(at: 'recipient' | 'data') {
    inbox.behave({ does: 'stay-mute', at })
    const start = performance.now()
    await mailer.send(mailTo(ana))
    return performance.now() - start
  }
  expect(await timeToGiveUp('recipient')).toBeLessThan(timeouts.finalReplyTimeoutMs)
  expect(await timeToGiveUp('data')).toBeGreaterThanOrEqual(timeouts.finalReplyTimeoutMs - 10)
})

test('two addresses in one field are refused', async () => {
  const sending = await openMailer().send(mailTo('ana@example.com, eve@example.com'))
  expect(sending.kind).not.toBe('accepted')
  expect(inbox.mails).toEqual([])
})

test('close lets a send in flight finish, within its grace period', async () => {
  const slow = openMailer()
  const sending = slow.send(mailTo(ana))
  await inbox.arrival(1)
  await slow.close()
  expect(await sending).toMatchObject({ kind: 'accepted' })

  const stuck = openMailer({ timeoutMs: 60_000 })
  const { promise: atRecipient, resolve } = Promise.withResolvers<void>()
  inbox.behave((recipient) => {
    if (recipient === ana) resolve()
    return { does: 'stay-mute', at: 'recipient' }
  })
  const hanging = stuck.send(mailTo(ana))
  await atRecipient
  await stuck.close()
  expect(await hanging).toMatchObject({ kind: 'temporary' })
})

test('without encryption neither password nor mail goes to a relay that is not on this machine', async () => {
  const { port } = inbox
  for (const user of ['user:secret@', '']) {
    const remote = openMailer({ url: `smtp://${user}0.0.0.0:${port}` }) // this machine, by an address that is not loopback
    expect(await remote.send(mailTo(ana))).toMatchObject({ kind: 'temporary', why: 'smtp 500 to STARTTLS' })
  }
  expect(inbox.mails).toEqual([])
  const local = openMailer({ url: `smtp://user:secret@localhost:${port}` })
  expect(await local.send(mailTo(ana))).toMatchObject({ kind: 'accepted' })
})

test('a server that hangs up at once is not asked again and again', async () => {
  let connections = 0
  const hangUp = createServer((socket) => {
    connections += 1
    socket.end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void hangUp.close())
  await once(hangUp, 'listening')
  const address = hangUp.address()
  const port = typeof address === 'object' ? address?.port : 0
  const mailer = openMailer({ url: `smtp://127.0.0.1:${port}`, timeoutMs: 5000 })
  expect(await mailer.send(mailTo(ana))).toMatchObject({ kind: 'temporary', why: 'ECONNECTION' })
  expect(connections).toBeLessThanOrEqual(2)
})

test('a DKIM signature covers both headers of the one-click unsubscribe', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const dkim = { domain: 'bot.example', selector: 'one', privateKey: pem }
  await openMailer({ dkim, timeoutMs: 5000 }).send(mailTo(ana))
  const raw = inbox.mails[0]?.raw.toString() ?? ''
  const signature = /^DKIM-Signature:.*(?:\r?\n[ \t].*)*/im.exec(raw)?.[0].replaceAll(/\s/g, '') ?? ''
  expect(signature).toContain('d=bot.example')
  expect(/;h=([^;]+)/i.exec(signature)?.[1]?.toLowerCase().split(':')).toEqual(
    expect.arrayContaining(['from', 'to', 'date', 'message-id', 'list-unsubscribe', 'list-unsubscribe-post']),
  )
})
