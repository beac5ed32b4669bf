import { createTransport, type SendMailOptions } from 'nodemailer'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { forNodemailer } from '#server/transports/mailer.ts'
import { composeMail, type MailTemplate, type Sender } from './compose-mail.ts'

const template: MailTemplate = {
  subject: 'Your free bot: script and setup guide',
  html: '<p>{address}</p><a href="{kitUrl}/rsi.pine">s</a><a href="{kitUrl}/guide.pdf">g</a><a href="{kitUrl}">k</a><a href="{unsubscribeUrl}">u</a>',
  text: '{address}\n{kitUrl}/rsi.pine\n{kitUrl}/guide.pdf\n{kitUrl}\n{unsubscribeUrl}\n© 2025\n',
}
const sender: Sender = {
  mailFrom: 'Jörg Starter <starter@bot.example>',
  supportEmail: 'help@bot.example',
  publicUrl: 'https://starter.bot.example',
}
const delivery = {
  address: 'ana@example.com',
  token: 'AbCdEfGhIjKlMnOpQrStUv',
  messageId: '<7c9e6679@bot.example>',
  date: new Date('2025-11-21T12:00:00Z'),
}

async function toBytes(change: Partial<typeof delivery> = {}): Promise<Buffer> {
  return overTheWire(forNodemailer(composeMail(template, sender, { ...delivery, ...change })))
}

async function overTheWire(mail: SendMailOptions): Promise<Buffer> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message } = await transport.sendMail(mail)
  if (!Buffer.isBuffer(message)) throw new Error('The stream transport was asked for a buffer')
  return message
}

test('the same delivery gives the same bytes every time', async () => {
  const first = await toBytes()
  expect((await toBytes()).equals(first)).toBe(true)
  expect((await toBytes({ messageId: '<other@bot.example>' })).equals(first)).toBe(false)
})

test('the mail says at which site and on which day the address was given, in its language', async () => {
  const text = '{address} at {site}, {date}'
  const composed = (language?: string) =>
    composeMail({ ...template, text, ...(language && { language }) }, sender, delivery).text
  expect(composed()).toBe('ana@example.com at starter.bot.example, 21 November 2025')
  expect(composed('fr')).toContain('21 novembre 2025')
})

test('the mail has the Message-ID and date of its delivery, and the sender and reply address of the settings', async () => {
  const mail = await PostalMime.parse(await toBytes())
  expect(mail).toMatchObject({
    messageId: '<7c9e6679@bot.example>',
    date: '2025-11-21T12:00:00.000Z',
    subject: template.subject,
    from: { name: 'Jörg Starter', address: 'starter@bot.example' },
    to: [{ name: '', address: 'ana@example.com' }],
    replyTo: [{ address: 'help@bot.example' }],
    attachments: [],
  })
})

test('both parts hold the links of this delivery, below the configured origin', async () => {
  const kit = 'https://starter.bot.example/kit/AbCdEfGhIjKlMnOpQrStUv'
  const links = [`${kit}/rsi.pine`, `${kit}/guide.pdf`, kit, `${kit}/unsubscribe`]
  const mail = await PostalMime.parse(await toBytes())
  expect(mail.text?.trim().split('\n')).toEqual(['ana@example.com', ...links, '© 2025'])
  expect([...(mail.html ?? '').matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(links)
})

test('both headers of the one-click unsubscribe stand on lines that no relay has to fold', async () => {
  const head = (await toBytes()).toString().split('\r\n\r\n')[0] ?? ''
  expect(head.match(/^List-Unsubscribe:/gm)).toHaveLength(1)
  expect(head.match(/^List-Unsubscribe:\s+<https:\/\/[^>]*\/unsubscribe>$/gm)).toHaveLength(1)
  expect(head).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
  expect(head).toMatch(/^Auto-Submitted: auto-generated$/m)
  expect(head.split('\r\n').filter((line) => line.length > 76)).toEqual([])
})

test('an address is printed as text, never as markup or a header', async () => {
  const { html } = await PostalMime.parse(await toBytes({ address: '<b>"@example.com' }))
  expect(html).toContain('<p>&#60;b&#62;&#34;@example.com</p>')
  const address = 'a{b}|c&d@example.com'
  const mail = await PostalMime.parse(await toBytes({ address }))
  expect(mail.to).toEqual([{ name: '', address }])
  expect(mail.text).toContain(address)
})

test.each([
  'www.evil.example/prize@example.com',
  'ana+evil.com/free@example.com',
  'evil.com@example.com',
  'visit.evil.example@example.com',
  'https-evil#x@example.com',
])('an address that looks like a link is readable and cannot be linked: %s', async (address) => {
  const mail = await PostalMime.parse(await toBytes({ address }))
  const shown = mail.text?.split('\n')[0] ?? ''
  expect(shown.replaceAll('\u2060', '')).toBe(address)
  expect(shown).not.toMatch(/[a-z0-9][./@?#][a-z0-9]/i)
  expect(mail.html).toContain(`<p>${shown}</p>`)
  expect(mail.to).toEqual([{ name: '', address }])
})

test.each(['ada.lovelace@example.com', "o'brien+bots@mail.example.co.uk", 'ada@news.example.com'])(
  'an address that does not look like a link is printed unchanged: %s',
  async (address) => {
    const mail = await PostalMime.parse(await toBytes({ address }))
    expect(mail.text?.split('\n')[0]).toBe(address)
    expect(mail.html).not.toContain('\u2060')
  },
)
