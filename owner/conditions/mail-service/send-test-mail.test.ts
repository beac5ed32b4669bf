import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { makeProjectFolder } from '#rigs/owner/doctor-site.ts'
import { askDoctor } from '#rigs/owner/doctor-terminal.ts'
import { openOwnerTerminal } from '#rigs/owner/owner-terminal.ts'
import { shortTemplate } from '#rigs/server/queue-mails.ts'
import { stubSite } from '#rigs/server/stub-pages.ts'
import { defaultSource } from '#site/source.ts'
import { countRows } from '#rigs/server/rows.ts'
import { storeVersion } from '#server/site/versions/store-version.ts'

async function sendTest(
  behave: Parameters<Awaited<ReturnType<typeof startSmtpInbox>>['behave']>[0],
  subject?: string,
) {
  const relay = await startSmtpInbox()
  onTestFinished(() => relay.close())
  relay.behave(behave)
  const { database, url } = await openOwnerTerminal()
  const environment = { DATABASE_URL: url, SMTP_URL: relay.url, MAIL_FROM: 'Bot <bot@bot.example>' }
  if (subject !== undefined) {
    const mails = { ...stubSite().mails, starter: { ...shortTemplate, subject } }
    const published = { source: defaultSource, bundle: stubSite({ mails }) }
    await storeVersion(database, published, { about: 'A text', now: 1 })
  }
  const outside = { folder: makeProjectFolder() }
  const found = await askDoctor({ environment, outside }, '--send-test', 'ada@example.com')
  return { ...found, relay, database }
}

test('the test mail is marked as a test, and nothing of it is stored', async () => {
  const { said, relay, database } = await sendTest({ does: 'accept' })
  expect(said('mail.test')).toMatch(/^fine The test mail to ada@example.com was accepted: 250 /)
  const [mail, ...more] = relay.mails
  expect(more).toEqual([])
  expect(mail?.to).toEqual(['ada@example.com'])
  const text = mail?.raw.toString() ?? ''
  for (const line of [
    'Subject: [Test] Your starter bot',
    'From: Bot <bot@bot.example>',
    'List-Unsubscribe-Post: ',
  ]) {
    expect(text).toContain(line)
  }
  expect(await countRows(database)).toEqual({ subscribers: 0, deliveries: 0 })
})

test('the test mail has the words that the owner has published', async () => {
  const { relay } = await sendTest({ does: 'accept' }, 'Our own bot')
  expect(relay.mails[0]?.raw.toString()).toContain('Subject: [Test] Our own bot')
})

test('a refused test mail is reported with the reply of the server', async () => {
  const { said, code } = await sendTest({ does: 'answer', code: 550, to: 'recipient' })
  expect(said('mail.test')).toMatch(
    /^error The mail server did not accept .*: 550 Refused by the test/,
  )
  expect(code).toBe(1)
})

test('without a built mail the test is unknown', async () => {
  const folder = makeProjectFolder()
  rmSync(join(folder, 'dist'), { recursive: true })
  const { said } = await askDoctor({ outside: { folder } }, '--send-test', 'a@b.co')
  expect(said('mail.test')).toMatch(/^not-checked This could not be checked\. It failed: ENOENT: /)
})

test('the test mail is sent to one address, and only on request', async () => {
  expect(await askDoctor({}, '--send-test', 'ada')).toMatchObject({
    code: 2,
    aside: expect.stringContaining("argument 'ada' is invalid. It is not an email address."),
  })
  expect((await askDoctor({})).said('mail.test')).toBe('')
})
