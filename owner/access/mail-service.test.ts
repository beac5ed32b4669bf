import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listenHere } from '#rigs/listening.ts'
import { type SmtpInbox, startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { ownerOf } from '#rigs/owner/owner-commands.ts'
import { smtpFields, takenDesk } from '#rigs/owner/taken-desk.ts'
import { refusalOf } from '#rigs/owner/test-desk.ts'
import { openSite } from '#server/settings/site-settings.ts'
import type { TestApp } from '#rigs/server/test-app.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { readAudit } from '#owner/acts/audit.ts'

async function openInbox(): Promise<SmtpInbox> {
  const inbox = await startSmtpInbox()
  onTestFinished(() => inbox.close())
  return inbox
}

/** People can sign up. */
async function openPage({ context }: TestApp): Promise<void> {
  await context.database.transaction((transaction) => openSite(transaction, context.now()))
  await context.settings.refresh()
}

test('a changed mail service is used from the next mail on, without a restart', async () => {
  const [first, second] = [await openInbox(), await openInbox()]
  const { app, desk } = await takenDesk({ ANON_KEY: 'test-key' })
  await desk.mailService.save.mutate(smtpFields(first.port))
  await openPage(app)
  await app.signUp('ada@example.com')
  await first.arrival(1, 'ada@example.com')
  await desk.mailService.save.mutate(smtpFields(second.port))
  await app.signUp('bob@example.com')
  await second.arrival(1, 'bob@example.com')
  expect(first.mails).toHaveLength(1)
})

test('mail that waits for a service goes out once one is saved', async () => {
  const inbox = await openInbox()
  const { app, desk } = await takenDesk({ ANON_KEY: 'test-key' })
  await openPage(app)
  await app.signUp('ada@example.com')
  await desk.mailService.save.mutate(smtpFields(inbox.port))
  await inbox.arrival(1, 'ada@example.com')
})

test('a test mail is sent with what stands in the fields, which are not kept', async () => {
  const inbox = await openInbox()
  const { desk, owner } = await takenDesk()
  const sent = await desk.mailService.test.mutate(smtpFields(inbox.port))
  expect(sent).toMatchObject({ isSent: true, what: 'The test mail was sent.' })
  const [mail] = await inbox.arrival(1, owner)
  expect(mail?.from).toBe('bot@turnbot.example')
  expect(mail?.raw.toString()).toMatch(/^From: Starter Bot <bot@turnbot\.example>$/m) // as visitors get it
  expect(await desk.mailService.show.query()).toMatchObject({ service: null, isProved: false })
})

test('a password that the server refuses is told in the words of the check-up', async () => {
  const inbox = await openInbox()
  inbox.behave({ does: 'answer', code: 535, to: 'auth', words: '5.7.8 Not accepted' })
  const { desk } = await takenDesk()
  const sent = await desk.mailService.test.mutate(smtpFields(inbox.port))
  expect(sent).toMatchObject({ isSent: false, what: expect.stringContaining('password') })
  expect(sent.said).toContain('5.7.8 Not accepted')
  expect(sent.advice).toContain('Check user and password')
  expect((await desk.mailService.show.query()).tests).toEqual([sent])
})

test('the service is proved by a test with what is saved, until host, user or sender change', async () => {
  const inbox = await openInbox()
  const { desk } = await takenDesk()
  const fields = smtpFields(inbox.port)
  await desk.mailService.test.mutate(fields)
  await desk.mailService.save.mutate(fields)
  expect((await desk.mailService.show.query()).isProved).toBe(true)
  for (const changed of [
    { host: 'localhost' },
    { user: 'eve' },
    { from: 'Turn Bot <news@turnbot.example>' },
  ]) {
    await desk.mailService.save.mutate({ ...fields, ...changed })
    expect((await desk.mailService.show.query()).isProved).toBe(false)
  }
})

test('a password is never sent back, and stays if its field is left empty', async () => {
  const inbox = await openInbox()
  const { app, desk } = await takenDesk()
  const fields = smtpFields(inbox.port)
  await desk.mailService.save.mutate(fields)
  const shown = await desk.mailService.show.query()
  expect(shown).toMatchObject({ host: '127.0.0.1', user: 'mara', hasPassword: true })
  expect(JSON.stringify(shown)).not.toContain(fields.password)
  await desk.mailService.save.mutate({ ...fields, password: '' })
  expect(app.context.config.smtpUrl).toContain('correct%20horse')
})

test.each([{ host: 'smtp.elsewhere.example' }, { port: '25' }])(
  'a password that is kept goes to no other server or port: %o',
  async (changed) => {
    const { app, desk } = await takenDesk()
    await desk.mailService.save.mutate(smtpFields(587))
    await desk.mailService.save.mutate({ ...smtpFields(587), ...changed, password: '' })
    expect(app.context.config.smtpUrl).not.toContain('horse')
  },
)

test('a test mail hands no kept password to another port of the same host', async () => {
  const handed: unknown[] = []
  const other = await startSmtpInbox(0, {
    onAuth({ username, password }, _session, done) {
      handed.push(password)
      done(null, { user: username })
    },
  })
  onTestFinished(() => other.close())
  const { desk } = await takenDesk()
  await desk.mailService.save.mutate(smtpFields((await openInbox()).port))
  await desk.mailService.test.mutate({ ...smtpFields(other.port), password: '' })
  expect(handed).not.toContain('correct horse')
})

test.each([
  ['SSH-2.0-OpenSSH_9.9', 'EPROTOCOL'],
  ['200 news.inner.example ready', 'smtp 200 to CONN'],
  ['554 5.7.1 Not from your network', '554 5.7.1 Not from your network'],
])(
  'what a program says in greeting is shown only as a mail server\'s refusal: "%s"',
  async (greeting, shown) => {
    const port = await portThatSays(greeting)
    const { desk } = await takenDesk()
    const sent = await desk.mailService.test.mutate(smtpFields(port))
    expect(sent.said).toBe(`${shown}, 127.0.0.1`)
    if (shown !== greeting) expect(JSON.stringify(sent)).not.toContain(greeting)
  },
)

/** Returns the port of a program on this machine that says one line to whoever connects. */
async function portThatSays(greeting: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(`${greeting}\r\n`)
  })
  onTestFinished(() => void server.close())
  return listenHere(server)
}

test('no secret is in the log, in the audit or in an export', async () => {
  const inbox = await openInbox()
  inbox.behave({ does: 'answer', code: 535, to: 'auth' })
  const { app, desk } = await takenDesk()
  await desk.mailService.save.mutate(smtpFields(inbox.port))
  await desk.mailService.test.mutate(smtpFields(inbox.port))
  const owner = ownerOf(app.databaseUrl)
  const exported = join(temporaryFolder(), 'content.json')
  await owner('content', 'export', exported)
  const { printed } = await owner('subscribers', 'export')
  const audit = JSON.stringify(await readAudit(app.database))
  expect(audit).toContain('Changed the mail service')
  for (const text of [app.log(), readFileSync(exported, 'utf8'), printed, audit]) {
    expect(text).not.toMatch(/correct(?: |%20)horse/)
  }
})

test('what the environment sets wins, is named, and is left as it is by saving', async () => {
  const inbox = await openInbox()
  const other = await openInbox()
  const { app, desk, owner } = await takenDesk({
    SMTP_URL: inbox.url,
    MAIL_FROM: 'Host <host@turnbot.example>',
  })
  expect((await desk.mailService.show.query()).fixed).toEqual({
    service: 'SMTP_URL',
    from: 'MAIL_FROM',
    support: null,
  })
  await desk.mailService.save.mutate(smtpFields(other.port))
  expect(app.context.config).toMatchObject({
    smtpUrl: inbox.url,
    mailFrom: { address: 'host@turnbot.example' },
  })
  await desk.mailService.test.mutate(smtpFields(other.port))
  const [mail] = await inbox.arrival(1, owner)
  expect(mail?.from).toBe('host@turnbot.example')
})

test.each([
  [{ port: '70000' }, 'mail.port', 'A port is a number from 1 to 65535.'],
  [{ host: 'smtp server' }, 'mail.host', /^This is not the name of a server/],
  [{ from: 'Mara' }, 'mail.from', /^This is not an address/],
  [{ support: 'mara@' }, 'mail.support', 'This is not an address.'],
])('a field that cannot be used is named, and nothing is kept: %j', async (typed, field, words) => {
  const { desk } = await takenDesk()
  const refused = await refusalOf(desk.mailService.save.mutate({ ...smtpFields(587), ...typed }))
  expect(refused).toMatchObject({ field, message: expect.stringMatching(words) })
  expect((await desk.mailService.show.query()).service).toBeNull()
})
