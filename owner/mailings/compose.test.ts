import { describe, expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { ourContent } from '#rigs/our-content.ts'
import { composeMail } from '#site/mail/compose-mail.ts'
import { renderLetter } from '#site/mail/letter.tsx'
import { renderVersionLetter } from '#site/mail/version-letter.tsx'
import { programmableMailer } from '#rigs/mail/programmable-mailer.ts'
import { sender, shortTemplate } from '#rigs/server/queue-mails.ts'
import { composeMailing, letterAboutVersion, oneLine } from './compose.ts'
import { sendTestMail } from './send-test.ts'

const release = {
  version: '1.2.0',
  date: '2026-01-05',
  changes: ['A `stop`, off by *default*.', 'Smaller.'],
}
const mails = {
  letter: renderLetter(ourContent),
  versionLetter: renderVersionLetter(ourContent),
}
const letter = {
  subject: 'Tips',
  preview: '',
  words: 'A **stop**\n\nfor you',
  to: 'consented',
  version: null,
} as const

describe('a letter', () => {
  test('is Markdown', () => {
    const { html, text } = compose({})
    expect(html).toContain('>stop</strong>')
    expect(text).toContain('A stop\n\nfor you')
  })

  test('whose first line is indented is no block of code', () => {
    expect(compose({ words: '\n    A stop' }).html).not.toContain('<pre')
  })

  test('has its preview in HTML', () => {
    expect(compose({ preview: ' Three\n of them ' }).html).toContain('Three of them')
  })

  test('without a preview has its first words there, in one line', () => {
    expect(compose({}).html).toContain('A stop for you')
  })

  test('without a preview keeps the braces of its first words', () => {
    expect(arriving(compose({ words: 'At {{close}} of {ticker}' })).html).toMatch(
      /display:none[^>]*>At \{\{close\}\} of \{ticker\}/,
    )
  })

  test('has a preview of at most 120 characters', () => {
    const { html } = compose({ words: 'x'.repeat(121), preview: 'y'.repeat(121) })
    expect(html).toContain('y'.repeat(120))
    expect(html).not.toContain('y'.repeat(121))
  })

  test('says why each audience gets it', () => {
    const { consented, everyone } = defaultContent.letter.reason
    expect(compose({}).text).toContain(consented)
    expect(compose({ to: 'everyone' }).text).toContain(everyone)
  })

  test.each(['{address}', '{kitUrl}', '{{close}}', '{{strategy.order.alert_message}}', '{ticker}'])(
    'arrives with %s as it was typed, in the subject, the text and a block of code',
    (braces) => {
      const words = `See ${braces}\n\n\`\`\`\n${braces}\n\`\`\``
      const mail = arriving(compose({ subject: braces, preview: braces, words }))
      expect(mail.subject).toBe(braces)
      expect(mail.html?.split(braces)).toHaveLength(6) // title, preview, heading, text, code
      expect(mail.text).toContain(`See ${braces}\n\n${braces}`)
    },
  )

  test('has the links of its recipient', () => {
    const mail = arriving(compose({}))
    expect(mail.html).toContain('https://bot.example/kit/TOKEN/announcements')
    expect(mail.text).toContain('https://bot.example/kit/TOKEN/announcements')
  })
})

describe('a letter about a version', () => {
  const filledIn = letterAboutVersion(defaultContent, release)

  test('is filled in with subject and changes, for people who have an older one', () => {
    expect(filledIn).toMatchObject({
      version: '1.2.0',
      subject: 'Version 1.2.0 of your starter kit',
      words: 'What is new in it:\n\n- A `stop`, off by *default*.\n- Smaller.',
      versionDate: '2026-01-05',
    })
  })

  test('leads to the personal page, and says which version is out', () => {
    const mail = arriving(compose({ ...filledIn, preview: '', version: '1.2.0' }))
    expect(mail.html).toContain('Version 1.2.0 is out.')
    expect(mail.html).toContain('href="https://bot.example/kit/TOKEN"')
    expect(mail.text).toMatch(/^ \* Smaller\.$/m)
    expect(mail.text).not.toMatch(/\n{3}/)
  })
})

test('its link to leave ends such mail, and not all', () => {
  expect(compose({}).leaves).toBe('announcements')
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

function compose(changes: Partial<Parameters<typeof composeMailing>[1]>) {
  const source = { content: defaultContent, mails }
  return composeMailing(source, { ...letter, ...changes })
}

function arriving(template: ReturnType<typeof compose>) {
  const date = new Date(0)
  return composeMail(template, sender, {
    address: 'a@b.example',
    token: 'TOKEN',
    messageId: '',
    date,
  })
}
