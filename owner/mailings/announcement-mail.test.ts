import { describe, expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { renderAnnouncement } from '#site/mail/announcement.tsx'
import { renderLetter } from '#site/mail/letter.tsx'
import { programmableMailer } from '#rigs/mail/programmable-mailer.ts'
import { sender, shortTemplate } from '#rigs/server/queue-mails.ts'
import {
  composeAnnouncement,
  type Draft,
  newestRelease,
  oneLine,
  previewMail,
  sendTestMail,
} from './announcement-mail.ts'

const release = { version: '1.2.0', date: '2026-01-05', changes: ['A stop, off by default.'] }
const mails = {
  announcement: renderAnnouncement(defaultContent, release),
  letter: renderLetter(defaultContent),
}

test('the newest release is announced to people who signed up on its day or before', () => {
  const older = { ...release, version: '1.1.0', date: '2025-12-01' }
  expect(newestRelease([release, older])).toMatchObject({
    name: '1.2.0',
    kind: 'version',
    signedUpBefore: Date.UTC(2026, 0, 6),
  })
})

test('without a release there is none', () => {
  expect(newestRelease([])).toBeUndefined()
})

describe('a version', () => {
  const version: Draft = { kind: 'version', subject: '', text: '' }

  test('has its usual subject', () => {
    expect(compose(version).subject).toBe('Version 1.2.0 of your starter kit')
  })

  test("may have the owner's subject", () => {
    expect(compose({ ...version, subject: ' A  stop\n' }).subject).toBe('A stop')
  })

  test("has the owner's words in both parts, and none of them is HTML", () => {
    const { html, text } = compose({ ...version, text: ' <b>Hello</b>\nAda ' })
    expect(html).toContain('&#60;b&#62;Hello&#60;/b&#62;<br/>Ada')
    expect(text).toContain('<b>Hello</b>\nAda')
  })

  test('of which nothing is known cannot be announced', () => {
    const source = { content: defaultContent, mails: { ...mails, announcement: null } }
    expect(() => composeAnnouncement(source, 'consented', version)).toThrow(
      'There are no release notes for the version of the kit.',
    )
  })

  test('has no more than one empty line in a row', () => {
    expect(compose(version).text).not.toMatch(/\n{3}/)
  })
})

describe('a letter', () => {
  const letter: Draft = { kind: 'letter', subject: 'Tips', text: 'A **stop**\n\nfor you' }

  test('has no subject but its own', () => {
    expect(compose({ ...letter, subject: '' }).subject).toBe('')
  })

  test('is Markdown', () => {
    const { html, text } = compose(letter)
    expect(html).toContain('>stop</strong>')
    expect(text).toContain('A stop\n\nfor you')
  })

  test('has its preview in HTML', () => {
    expect(compose({ ...letter, preview: ' Three\n of them ' }).html).toContain('Three of them')
  })

  test('without a preview has its first words there, in one line', () => {
    expect(compose({ ...letter, preview: '' }).html).toContain('A stop for you')
  })

  test('has a preview of at most 120 characters', () => {
    const { html } = compose({ ...letter, text: 'x'.repeat(121), preview: 'y'.repeat(121) })
    expect(html).toContain('y'.repeat(120))
    expect(html).not.toContain('y'.repeat(121))
  })

  test('says why each audience gets it', () => {
    const { consented, everyone } = defaultContent.letter.reason
    expect(compose(letter, 'consented').text).toContain(consented)
    expect(compose(letter, 'everyone').text).toContain(everyone)
  })

  test('takes braces in the words for words', () => {
    const { subject, html } = compose({ ...letter, subject: '{address}', text: 'See {kitUrl}' })
    expect(subject).toBe('{ address}')
    expect(html).toContain('See { kitUrl}')
  })
})

test('one-click unsubscribe of a letter ends announcements', () => {
  expect(compose({ kind: 'letter', subject: 'Tips', text: 'Hello' })).toMatchObject({
    leaves: 'announcements',
  })
})

test('a line has one space between two words', () => {
  expect(oneLine('  a\t b\n\n c ')).toBe('a b c')
})

test('a test mail has a Message-ID of the sender, and the time', async () => {
  const mailer = programmableMailer()
  const recipient = { address: 'ada@example.com', now: Date.UTC(2026, 0, 5) }
  await sendTestMail(mailer, shortTemplate, { ...sender, senderDomain: 'mail.example' }, recipient)
  const [{ message } = { message: undefined }] = mailer.attempts
  expect(message?.messageId).toMatch(/^<[\w-]{22}@mail\.example>$/)
  expect(message?.date).toEqual(new Date('2026-01-05'))
})

test('a preview is for an example recipient', async () => {
  const template = { ...shortTemplate, text: '{address} {kitUrl}' }
  const { subject, text } = await previewMail(template, sender)
  expect(subject).toBe('Your starter bot')
  expect(text).toBe('somebody@example.com https://bot.example/kit/TOKEN')
})

function compose(draft: Draft, to: 'consented' | 'everyone' = 'consented') {
  return composeAnnouncement({ content: defaultContent, mails }, to, draft)
}
