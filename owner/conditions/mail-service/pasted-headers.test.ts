import { describe, expect, test } from 'vitest'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { configOf } from '#owner/acts/owned-database.ts'
import { readSecret } from '#server/database/settings.ts'
import { settingsWithoutDatabase } from '#server/settings/site-settings.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { defaultContent } from '#content/content.ts'
import { dnsOf } from '#rigs/owner/doctor-terminal.ts'
import type { Check } from '../check-context.ts'
import { checkDkim } from '../dns/check-dkim.ts'
import { checkSpf } from '../dns/check-spf.ts'
import { keepMailProof } from './mail-proof.ts'
import { readAuthenticationResults } from './pasted-headers.ts'

const gmail = `Delivered-To: mara@gmail.com
Received: by 2002:a05:7300 with SMTP id x;
        Sat, 28 Nov 2026 02:12:58 -0800 (PST)
ARC-Authentication-Results: i=1; mx.google.com;
       dkim=fail header.i=@evil.example
Authentication-Results: mx.google.com;
       dkim=pass header.i=@bot.example header.s=one header.b="Ab=cd";
       dkim=pass header.i=@amazonses.com header.s=x;
       spf=pass (google.com: domain of 01@send.bot.example designates (a host) as permitted sender) smtp.mailfrom=01@send.bot.example;
       dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=bot.example
From: "Turn: Bot" <bot@bot.example>
To: mara@gmail.com
Authentication-Results: liar.example; dkim=pass header.d=other.example
Subject: [Test] Your starter bot

dkim=pass in the text says nothing.`

const outlook = `Authentication-Results: spf=pass (sender IP is 192.0.2.7)\r
 smtp.mailfrom=bot.example; dkim=none (message not signed)\r
 header.d=none;dmarc=pass action=none header.from=bot.example;compauth=pass reason=100\r
From: bot@bot.example\r
`

describe('pasted headers', () => {
  test('say what the receiver found, and nothing that was written on the way', () => {
    expect(readAuthenticationResults(gmail)).toEqual({
      receiver: 'mx.google.com',
      spf: 'pass',
      dkim: [
        { result: 'pass', domain: 'bot.example' },
        { result: 'pass', domain: 'amazonses.com' },
      ],
      from: 'bot.example',
    })
  })

  test("are read without the receiver's name", () => {
    expect(readAuthenticationResults(outlook)).toEqual({
      receiver: 'The receiver',
      spf: 'pass',
      dkim: [{ result: 'none', domain: 'none' }],
      from: 'bot.example',
    })
  })

  test.each([
    [
      'iCloud',
      `Authentication-Results: bimi.icloud.com; bimi=skipped reason="insufficient dmarc"
Authentication-Results: dmarc.icloud.com; dmarc=pass header.from=bot.example
Authentication-Results: dkim-verifier.icloud.com;
	dkim=pass (2048-bit key) header.d=bot.example header.i=@bot.example header.b=Ab/c
Authentication-Results: spf.icloud.com; spf=pass (spf.icloud.com: domain of
	bot@bot.example designates 192.0.2.7 as permitted sender) smtp.mailfrom=bot@bot.example
`,
    ],
    [
      'Zoho',
      `Authentication-Results: mx.zohomail.com;
	dkim=pass;
	spf=pass (zohomail.com: domain of bot@bot.example designates 192.0.2.7 as permitted sender)  smtp.mailfrom=bot@bot.example;
	dmarc=pass(p=none)  header.from=bot@bot.example
DKIM-Signature: v=1; a=rsa-sha256; s=one; d=Bot.example;
	h=From:Subject; b=Ab/c=
`,
    ],
    [
      'Yahoo',
      `Authentication-Results: atlas-production.v2-mail-prod1-gq1.omega.yahoo.com;
 dkim=pass header.i=@bot.example header.s=one;
 spf=pass smtp.mailfrom=bot.example;
 dmarc=pass(p=NONE) header.from=bot.example;
`,
    ],
    [
      'Fastmail',
      `Authentication-Results: phl-mx-02.messagingengine.com;
    dkim=pass (2048-bit rsa key sha256) header.d=bot.example header.i=@bot.example
    header.b=Ab/c header.a=rsa-sha256 header.s=one x-bits=2048;
    dmarc=pass policy.published-domain-policy=none header.from=bot.example;
    spf=pass smtp.mailfrom=bot@bot.example smtp.helo=mail.bot.example
`,
    ],
  ])('of %s are read', (_receiver, headers) => {
    expect(readAuthenticationResults(`${headers}From: Bot <bot@bot.example>\n`)).toMatchObject({
      spf: 'pass',
      dkim: [{ result: 'pass', domain: 'bot.example' }],
    })
  })

  test.each(['', 'Hello, here is the mail.', 'From: a@bot.example\n\nA text'])(
    'without the line of a receiver are refused: %j',
    (pasted) => {
      expect(() => readAuthenticationResults(pasted)).toThrow(/no line “Authentication-Results:”/)
    },
  )
})

/** A site that sends mail as bot@bot.example, and what its check says of DKIM. */
async function siteThatSends() {
  const { url, database } = await temporaryDatabase(ownerMigrations)
  const environment = {
    DATABASE_URL: url,
    MAIL_FROM: 'bot@bot.example',
    SMTP_URL: 'smtp://127.0.0.1:1',
  }
  const secret = await database.transaction(readSecret)
  const settingsOf = (more = {}) =>
    settingsWithoutDatabase(configOf({ environment: { ...environment, ...more } }))
  return {
    paste: (headers: string) =>
      keepMailProof(database, headers, {
        config: {
          ...settingsOf().config,
          mailFrom: { name: 'Starter Bot', address: 'bot@bot.example' },
        },
        secret,
      }),
    async said(more = {}, check: Check = checkDkim) {
      const settings = settingsOf(more)
      const found = await check({
        settings,
        config: settings.config,
        content: defaultContent,
        published: undefined,
        environment: { ...environment, ...more },
        folder: '',
        now: Date.now,
        dns: dnsOf({}),
      })
      const [{ severity, what } = { severity: '', what: '' }] = [found].flat()
      return `${severity} ${what}`
    },
  }
}

test('pasted headers prove the signature of the mail service, until the service changes', async () => {
  const { paste, said } = await siteThatSends()
  expect(await said()).toMatch(/^not-checked /)
  await paste(gmail)
  expect(await said()).toBe('fine mx.google.com found a valid DKIM signature of bot.example.')
  expect(await said({ SMTP_URL: 'smtp://127.0.0.1:2' })).toMatch(/^not-checked /)
})

test('pasted headers prove the SPF record of a service that sends from a domain of its own', async () => {
  const { paste, said } = await siteThatSends()
  expect(await said({}, checkSpf)).toBe('warning bot.example has no SPF record.')
  await paste(gmail)
  expect(await said({}, checkSpf)).toMatch(/^fine mx\.google\.com found your mail/)
})

test.each([
  ['no signature', outlook, 'error The receiver found no valid DKIM signature on your test mail.'],
  [
    'a signature of somebody else',
    gmail.replace('header.i=@bot.example', 'header.i=@sender.example'),
    'warning mx.google.com found a DKIM signature of sender.example, which does not count for bot.example.',
  ],
])('%s is told', async (_what, headers, expected) => {
  const { paste, said } = await siteThatSends()
  await paste(headers)
  expect(await said()).toBe(expected)
})

test('the headers of another mail are refused', async () => {
  const { paste } = await siteThatSends()
  await expect(paste(gmail.replace('bot@bot.example', 'shop@other.example'))).rejects.toThrow(
    'This mail is from other.example, and yours come from bot.example.',
  )
})
