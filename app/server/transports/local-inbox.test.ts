import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { createLocalInbox, type LocalInbox } from './local-inbox.ts'
import type { MailMessage } from '#site/mail/mail-message.ts'

function mail(subject: string, more: Partial<MailMessage> = {}): MailMessage {
  return {
    from: 'starter@bot.example',
    to: 'ana@example.com',
    subject,
    text: `Text of ${subject}`,
    html: `<html><head></head><body><h1>${subject}</h1><script>alert(1)</script></body></html>`,
    messageId: `<${subject.replaceAll(/\W/g, '')}@bot.example>`,
    headers: {},
    date: new Date('2025-11-21T12:00:00Z'),
    ...more,
  }
}

async function bodyOf(inbox: LocalInbox, path = ''): Promise<string> {
  return String((await inbox.answer(`/dev/inbox${path}`))?.body)
}

async function listed(inbox: LocalInbox) {
  const links = (await bodyOf(inbox)).matchAll(/href="\/dev\/inbox\/([\w-]+)">(.*?)<\/a>/g)
  return [...links].map(([, id = '', subject = '']) => ({ id, subject }))
}

test('mails are listed newest first, and read back byte for byte', async () => {
  let time = Date.parse('2025-11-21T12:00:00Z')
  const inbox = createLocalInbox(temporaryFolder(), () => (time += 1000))
  expect(await inbox.send(mail('First'))).toEqual({ kind: 'accepted' })
  await inbox.send(mail('Second'))
  const mails = await listed(inbox)
  expect(mails.map(({ subject }) => subject)).toEqual(['Second', 'First'])
  expect(await bodyOf(inbox, `/${mails[0]?.id}.eml`)).toMatch(
    /^From: starter@bot\.example\r\nTo: ana@example\.com\r\nSubject: Second\r\n/,
  )
})

test('the mails of an erased identity are deleted in every spelling, and no others', async () => {
  const inbox = createLocalInbox(temporaryFolder())
  for (const to of [
    'Ana@example.com',
    'ana@Example.com',
    'joana@example.com',
    'ana@example.com.example',
  ]) {
    await inbox.send(mail(`To ${to}`, { to }))
  }
  await inbox.erase('ana@example.com')
  const left = (await listed(inbox)).map(({ subject }) => subject)
  expect(new Set(left)).toEqual(new Set(['To ana@example.com.example', 'To joana@example.com']))
})

test('a folder that cannot be written to is our fault, reported without the address', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file'), '')
  const sending = await createLocalInbox(join(folder, 'file')).send(mail('Lost'))
  expect(sending).toMatchObject({ kind: 'relay-fault', why: expect.stringMatching(/^E[A-Z]+$/) })
})

test('the pages show the list, a mail, its text and its raw form', async () => {
  const inbox = createLocalInbox(temporaryFolder())
  expect((await inbox.answer('/dev/inbox'))?.body).toContain('No mail yet')
  await inbox.send(mail('Bots & <b>scripts</b>'))
  const [{ id } = { id: '' }] = await listed(inbox)
  expect(await bodyOf(inbox)).toContain(`href="/dev/inbox/${id}"`)
  expect(await bodyOf(inbox)).toContain('Bots &#38; &#60;b&#62;scripts')
  expect(await bodyOf(inbox, `/${id}`)).toMatch(
    /<template shadowrootmode="open">.*<h1>Bots.*<\/template>/s,
  )
  expect(await bodyOf(inbox, `/${id}`)).toContain('Text of Bots &#38;')
  expect(await bodyOf(inbox, `/${id}.eml`)).toContain('Subject: Bots')
})

test('a mail cannot run scripts in the page, and no path leads out of the folder', async () => {
  const folder = temporaryFolder()
  const inbox = createLocalInbox(join(folder, 'inbox'))
  await inbox.send(mail('Script'))
  const [{ id } = { id: '' }] = await listed(inbox)
  const shown = await inbox.answer(`/dev/inbox/${id}`)
  expect(shown?.headers['content-security-policy']).toMatch(
    /^default-src 'none'; .*form-action 'none'/,
  )
  expect(shown?.headers['content-security-policy']).not.toContain('script-src')
  writeFileSync(join(folder, 'secret.eml'), 'Subject: secret')
  for (const path of [
    '/../secret.eml',
    '/..%2fsecret',
    '/nothing',
    `/${id}/../${id}`,
    `/${id}/html`,
  ]) {
    expect(await inbox.answer(`/dev/inbox${path}`)).toBeUndefined()
  }
})
