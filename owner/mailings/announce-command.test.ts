import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import PostalMime from 'postal-mime'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { renderAnnouncement as renderEmail } from '#site/mail/announcement.tsx'
import { renderLetter as renderLetterFrame } from '#site/mail/letter.tsx'
import { startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { makeMailingList } from '#rigs/owner/mailing-list.ts'
import { ownerOf } from '#rigs/owner/owner-terminal.ts'
import { pngOf } from '#rigs/server/png.ts'
import { renderingBuild } from '#rigs/server/rendering-build.ts'
import { sender, shortTemplate } from '#rigs/server/queue-mails.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { readRenderedMails } from '#server/site/site-files.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { composeAnnouncement, previewMail } from './announcement-mail.ts'
import { releaseMail } from './release.ts'
import { hoursFor } from './pace/slow-start.ts'

// The list starts on 5 January.
const release = { version: '1.2.0', date: '2026-01-05', changes: ['A `stop`, off by default.'] }
const minuteMs = 60_000

test('--dry-run shows recipients, duration and mail, and changes nothing', async () => {
  const { owner, database } = await terminal()
  const { code, printed } = await owner('announce', '1.2.0', '--to', 'consented', '--dry-run')
  expect(code).toBe(0)
  const [table, mail] = printed.split('\n\n')
  expect(table!.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['Would be mailed (--to consented)', '2'],
    ['Takes, at least', '1 hour'],
    ['', 'asked', '2'],
    ['', 'asked for versions', '0'],
    ['', 'never asked', '1'],
    ['', 'turned off', '0'],
    ['', 'too late', '0'],
    ['', 'other campaign', '0'],
    ['', 'unsubscribed', '1'],
    ['', 'undeliverable', '0'],
    ['', 'blocked', '0'],
    ['', 'announced to', '0'],
  ])
  expect(mail).toBe('Subject: Version 1.2.0 of your starter kit')
  expect(printed).toContain('Version 1.2.0 is out.')
  expect(printed).toContain('A stop, off by default.')
  expect(printed).toMatch(/^http:\/\/localhost:3000\/kit\/TOKEN\/announcements$/m)
  expect(printed).not.toMatch(/\{\w+\}/)
  expect(await database.rows(sql`select * from announcements`)).toEqual([])
  const { printed: json } = await owner(
    'announce',
    '1.2.0',
    '--to',
    'everyone',
    '--dry-run',
    '--json',
  )
  expect(JSON.parse(json)).toMatchObject({
    audience: 3,
    people: { asked: 2, neverAsked: 1, unsubscribed: 1 },
    hours: 1,
  })
})

test('an announcement starts a minute later, --now at once; status has figures that add up, and a second run changes nothing', async () => {
  const { owner, list } = await terminal()
  const { printed } = await owner('announce', '1.2.0', '--to', 'consented')
  expect(printed).toMatch(/^1\.2\.0 +consented +starting +2 +0 +0 +0 +0 +0 +2$/m)
  expect(printed).toContain(
    '1.2.0 starts at 2026-01-05 12:01:00 UTC. Until then "announce cancel 1.2.0" takes it back.',
  )
  list.at(minuteMs)
  expect(
    JSON.parse((await owner('announce', '1.2.0', '--to', 'consented', '--json')).printed),
  ).toMatchObject({ state: 'running', recipients: 2, stillToCome: 2 })
  expect(JSON.parse((await owner('announce', '--json', 'status')).printed)).toHaveLength(1)
  const other = await terminal()
  const started = await other.owner('announce', '1.2.0', '--to', 'everyone', '--now', '--json')
  expect(JSON.parse(started.printed)).toMatchObject({
    state: 'running',
    startsAt: other.list.start,
  })
})

test('pause, resume and cancel print what they did, or why they did nothing', async () => {
  const { owner, list } = await terminal()
  expect(await owner('announce', 'pause', '1.2.0')).toMatchObject({
    code: 1,
    aside: '1.2.0 was not announced.\n',
  })
  await owner('announce', '1.2.0', '--to', 'consented', '--now')
  await releaseMail(list.context)
  for (const [name, said] of [
    ['pause', 'is paused'],
    ['resume', 'is going out'],
    ['cancel', 'was cancelled'],
    ['resume', 'is going out'],
    ['cancel', 'was cancelled'],
  ] as const) {
    expect(await owner('announce', name, '1.2.0')).toMatchObject({
      code: 0,
      printed: `1.2.0 ${said}.\n`,
    })
  }
  expect(await owner('announce', 'pause', '1.2.0')).toMatchObject({
    code: 1,
    aside: '1.2.0 was cancelled.\n',
  })
  for (const more of [[], ['--dry-run']]) {
    expect((await owner('announce', '1.2.0', '--to', 'everyone', ...more)).aside).toBe(
      '1.2.0 was cancelled. Resume it to finish it.\n',
    )
  }
})

test('of one that was widened after its first mail, cancel within the minute is said to end it', async () => {
  const { owner, database } = await terminal()
  await owner('announce', '1.2.0', '--to', 'consented', '--now')
  await database.transaction((transaction) =>
    transaction.run(sql`
      insert into deliveries (subscriber, announcement, message_id, template, state, priority, due_at, queued_at)
      select s.id, a.id, 'm', a.template, 'sent', 9, 0, 0 from subscribers s, announcements a limit 1`),
  )
  const { printed } = await owner('announce', '1.2.0', '--to', 'everyone')
  expect(printed).toMatch(/"announce cancel 1\.2\.0" ends it, also for people/)
})

test('cancel within the minute takes it back', async () => {
  const { owner } = await terminal()
  await owner('announce', '1.2.0', '--to', 'consented')
  expect((await owner('announce', 'cancel', '1.2.0')).printed).toBe(
    '1.2.0 was taken back. Nothing was sent.\n',
  )
  expect((await owner('announce', '1.2.0', '--to', 'consented')).code).toBe(0)
})

test.each([
  ['without an audience', ['1.2.0']],
  ['without an audience, as a test', ['1.2.0', '--test', 'me@example.com']],
  ['for an audience that does not exist', ['1.2.0', '--to', 'all']],
  ['at 0 mails an hour', ['1.2.0', '--to', 'consented', '--per-hour', '0']],
  ['at -5 mails an hour', ['1.2.0', '--to', 'consented', '--per-hour', '-5']],
  ['to an invalid test address', ['1.2.0', '--to', 'consented', '--test', 'me']],
  ['without a version', ['--to', 'consented']],
  ['without a letter', ['letter', '--to', 'consented']],
])('announcing %s is a usage error', async (_what, words) => {
  const { owner } = await terminal()
  expect(await owner('announce', ...words)).toMatchObject({ code: 2, printed: '' })
})

test('only the version of the kit can be announced, and the help says what the law asks', async () => {
  const { owner } = await terminal()
  const { code, aside } = await owner('announce', '1.1.0', '--to', 'everyone')
  expect([code, aside]).toEqual([1, 'The kit has version 1.2.0, so that is the one to announce.\n'])
  expect((await owner('announce', '1.2.0')).aside).toMatch(
    /^Say to whom: --to consented, or --to everyone\./,
  )
  const none = await terminal({ folder: projectFolder([]) })
  expect((await none.owner('announce', '1.2.0', '--to', 'everyone')).aside).toBe(
    'content/releases.ts has no entry for the version of the kit.\n',
  )
  for (const command of [[], ['letter']]) {
    const { printed } = await owner('announce', ...command, '--help')
    expect(printed).toMatch(
      /needs consent\. --to consented mails only people who gave it[^]*--to consented --dry-run\n/,
    )
    expect(printed).toMatch(/The newest entry of content|Markdown that begins with/)
    for (const [, name, does] of printed.matchAll(/^ {2}(--\w[^ ]*(?: <\w+>)?)(.*)$/gm)) {
      expect([name, does]).toEqual([name, expect.stringMatching(/^ +[A-Z]/)])
    }
  }
  for (const name of ['status', 'pause', 'resume', 'cancel']) {
    expect((await owner('announce', name, '--help')).printed).toMatch(
      /\n\n[A-Z].*[^]*NAME +A version or a letter[^]* VERSION\n/,
    )
  }
})

test('a letter cannot have the name of a version, and a site with little room is told the hours', async () => {
  const { owner } = await terminal({}, { LIMIT_SITE_MAILS_PER_HOUR: '1' })
  expect((await owner('announce', 'status')).printed).toBe('Nothing was announced.\n')
  const file = join(temporaryFolder(), '1.2.0.md')
  writeFileSync(file, '---\nsubject: x\n---\nText')
  const { printed } = await owner('announce', '1.2.0', '--to', 'everyone', '--dry-run')
  expect(printed).toMatch(/^Takes, at least +\d+ hours?$/m)
  await owner('announce', '1.2.0', '--to', 'everyone')
  const aside = 'There is another announcement named 1.2.0.\n'
  expect(await owner('announce', 'letter', file, '--to', 'everyone')).toEqual({
    code: 1,
    printed: '',
    aside,
  })
})

test('status says why an announcement has paused', async () => {
  const { owner, database } = await terminal()
  await owner('announce', '1.2.0', '--to', 'everyone', '--now')
  await database.transaction((transaction) =>
    transaction.run(sql`update announcements set state = 'paused', paused_why = '3 came back'`),
  )
  expect((await owner('announce', 'status')).printed).toMatch(
    /\n1\.2\.0 has paused automatically: 3 came back\.\n$/,
  )
})

test.each(['consented', 'everyone'])(
  'announcing to %s asks in a terminal, and nothing starts without a yes',
  async (to) => {
    for (const [answer, code] of [
      [' Yes', 0],
      ['no', 1],
      [undefined, 1],
    ] as const) {
      const asked: unknown[] = []
      const ask = async (prompt: unknown) => (asked.push(prompt), answer)
      const { owner, database } = await terminal({ ask })
      const aside = code === 0 ? '' : 'Nothing was announced.\n'
      expect(await owner('announce', '1.2.0', '--to', to)).toMatchObject({ code, aside })
      const people = to === 'everyone' ? 3 : 2
      expect(asked).toEqual([
        { message: `Announce 1.2.0 to ${people} people? Type yes.`, placeholder: 'yes' },
      ])
      expect(await database.rows(sql`select id from announcements`)).toHaveLength(1 - code)
    }
  },
)

test('--test sends the mail to one address only, with one-click unsubscribe from announcements', async () => {
  const inbox = await startSmtpInbox()
  const { owner, database } = await terminal({}, { SMTP_URL: inbox.url })
  const words = ['announce', '1.2.0', '--to', 'everyone', '--test', 'me@example.com']
  expect((await owner(...words)).printed).toBe(
    'Sent to me@example.com. The links below it lead to the home page: nobody on the list has this address.\n',
  )
  const away = await terminal({}, { SMTP_URL: 'smtp://127.0.0.1:1' })
  expect((await away.owner(...words)).aside).toBe('The mail server cannot be reached.\n')
  const [received] = await inbox.arrival(1, 'me@example.com')
  const mail = await PostalMime.parse(received!.raw)
  expect(mail.subject).toBe('[Test] Version 1.2.0 of your starter kit')
  expect(received!.raw.toString()).toMatch(
    /^List-Unsubscribe:\s+<\S+\/kit\/[\w-]{22}\/announcements>\r?$/m,
  )
  expect(mail.messageId).toMatch(/^<[\w-]{22}@localhost>$/)
  expect(mail.text).not.toContain('\n\n\n')
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain('we sent the starter kit to me@example.com')
    expect(part).not.toMatch(/\{\w+\}|undefined/)
  }
  expect(await database.rows(sql`select * from deliveries`)).toEqual([])
  await inbox.close()
})

test("the owner's words stand above the changes as they were typed, and a subject of theirs replaces the usual one", async () => {
  const mails = readRenderedMails(join(projectFolder(), 'dist'))
  const project = { content: defaultContent, mails }
  const draft = {
    kind: 'version',
    subject: ' One\nthing ',
    text: ' Tom & {address}\nand $& \n',
  } as const
  const { subject, html, text } = await previewMail(
    composeAnnouncement(project, 'everyone', draft),
    sender,
  )
  expect(subject).toBe('One thing')
  expect(html).toContain('Tom &#38; { address}<br/>and $&#38;<')
  expect(text).toMatch(/\n\nTom & \{ address\}\nand \$&\n\n/)
  expect(text).toContain('sent the starter kit to somebody@example.com')
  const none = { kind: 'version', subject: '', text: '' } as const
  const usual = await previewMail(composeAnnouncement(project, 'consented', none), sender)
  const words = 'Version 1.2.0 of your starter kit'
  expect([usual.subject, usual.text]).toEqual([words, expect.not.stringMatching(/\n{3}/)])
})

test('a letter is announced by its file, and its name is the file name', async () => {
  const { owner, list } = await terminal()
  const { code, printed } = await owner(
    'announce',
    'letter',
    letterFile(),
    '--to',
    'consented',
    '--now',
  )
  expect(code).toBe(0)
  expect(printed).toMatch(/^june +consented +running +1 /m)
  await releaseMail(list.context)
  await list.deliver()
  expect(list.mailer.addresses()).toEqual(['b@example.com'])
  const message = list.mailer.attempts[0]?.message
  expect(message?.subject).toBe('What I learned')
  expect(message?.text).toContain('b@example.com asked for news.')
  expect(JSON.parse((await owner('announce', 'status', 'june', '--json')).printed)).toMatchObject({
    kind: 'letter',
    subject: 'What I learned',
    sent: 1,
  })
})

test('of a letter the dry run counts who asked for versions only, and who signs up until it starts', async () => {
  const { owner, list } = await terminal()
  await list.signUp(['late@example.com'], { asked: 'news', at: list.start + minuteMs - 1 })
  await list.signUp(['later@example.com'], { asked: 'news', at: list.start + minuteMs })
  const plan = async (to: string) =>
    JSON.parse(
      (await owner('announce', '--dry-run', '--json', 'letter', letterFile(), '--to', to)).printed,
    )
  const people = { asked: 2, askedForVersions: 1, neverAsked: 1, tooLate: 1, unsubscribed: 1 }
  expect(await plan('consented')).toMatchObject({ audience: 2, people })
  expect(await plan('everyone')).toMatchObject({ audience: 4 })
})

test('status shows one announcement by its name, or all of them, the newest first', async () => {
  const { owner } = await terminal()
  await owner('announce', '1.2.0', '--to', 'consented')
  await owner('announce', 'letter', letterFile(), '--to', 'consented')
  const names = JSON.parse((await owner('announce', '--json', 'status')).printed)
  expect(names).toMatchObject([
    { name: 'june', subject: 'What I learned' },
    { name: '1.2.0', subject: '' },
  ])
  const { printed } = await owner('announce', 'status', '1.2.0')
  expect(printed).not.toContain('june')
})

test('without an announcement status says so', async () => {
  const { owner } = await terminal()
  expect((await owner('announce', 'status')).printed).toBe('Nothing was announced.\n')
})

test('one that has paused by itself is named, with the reason', async () => {
  const { owner, database } = await terminal()
  await owner('announce', '1.2.0', '--to', 'consented', '--now')
  await database.transaction((transaction) =>
    transaction.run(sql`
      update announcements set state = 'paused', paused_why = '4 of the last 60 came back'`),
  )
  expect((await owner('announce', 'status')).printed).toMatch(
    /\n1\.2\.0 has paused automatically: 4 of the last 60 came back\.\n$/,
  )
})

test('--campaign may be given several times', async () => {
  const { owner, database } = await terminal()
  const campaigns = ['--campaign', 'a', '--campaign', 'b']
  await owner('announce', '1.2.0', '--to', 'consented', ...campaigns)
  expect(await database.row(sql`select campaigns from announcements`)).toEqual({
    campaigns: '["a","b"]',
  })
})

test('the duration follows the slow start, its replacement, its cap and the ceiling of the site', () => {
  const pace = { perHour: null, mostPerHour: null, siteMailsPerHour: Infinity }
  expect([0, 100, 101, 300, 301].map((mails) => hoursFor(mails, pace))).toEqual([0, 1, 2, 2, 3])
  expect(hoursFor(1_000, { ...pace, perHour: 100 })).toBe(10)
  expect(hoursFor(1_000, { ...pace, mostPerHour: 200 })).toBe(6)
  expect(hoursFor(1_500, { ...pace, siteMailsPerHour: 200 })).toBe(11)
  expect(hoursFor(3, { ...pace, siteMailsPerHour: 1 })).toBe(3)
  expect(hoursFor(500, pace, 2)).toBe(4)
})

/**
 * Two people who asked for versions, one of them for letters as well, one who asked for nothing,
 * and one who left.
 */
test('a picture beside the letter is kept with it, and a dry run keeps none', async () => {
  const { owner, database } = await terminal()
  const file = letterFile('---\nsubject: News\n---\n![A chart](chart.png)')
  writeFileSync(join(dirname(file), 'chart.png'), pngOf(1104, 620))
  const pictures = () => database.rows<{ name: string }>(sql`select name from letter_pictures`)
  await owner('announce', 'letter', file, '--to', 'consented', '--dry-run')
  expect(await pictures()).toEqual([])
  expect(await owner('announce', 'letter', file, '--to', 'consented')).toMatchObject({ code: 0 })
  const [picture] = await pictures()
  const kept = await database.row<{ words: string }>(sql`select words from announcements`)
  expect(kept?.words).toBe(`![A chart](/pictures/${picture?.name})`)
})

test('letters and the series are written into what is published', async () => {
  const { owner, database } = await terminal({ renderer: renderingBuild().renderer })
  const texts = { 'letter.reason.consented': 'You get this because {address} said yes.' }
  const content = join(temporaryFolder(), 'content.json')
  const format = 'starter-bot content 1'
  writeFileSync(content, JSON.stringify({ format, texts, stillTrue: [], files: {} }))
  expect(await owner('content', 'import', content)).toMatchObject({ aside: '', code: 0 })
  const dryRun = ['announce', 'letter', letterFile(), '--to', 'consented', '--dry-run']
  expect((await owner(...dryRun)).printed).toContain('said yes.')
  await owner('series', 'add', letterFile(), '--after-days', '20')
  const [template] = await database.rows<{ content: string }>(sql`
    select t.content from mail_templates t join announcements a on a.template = t.hash`)
  expect(template?.content).toContain('said yes.')
})

async function terminal(outside = {}, environment: Record<string, string> = {}) {
  const list = await makeMailingList()
  await list.signUp(['a@example.com', 'c@example.com', 'd@example.com'])
  await list.signUp(['b@example.com'], { asked: 'news' })
  const { database } = list
  await database.transaction(async (transaction) => {
    await transaction.run(sql`
      update subscribers set announcements_agreed_at = 1, announcements_cover = 'versions' where address = 'a@example.com'`)
    await leaveTheList(transaction, await list.idOf('d@example.com'), 'unsubscribed', list.start)
  })
  const owner = ownerOf(list.url, environment, {
    folder: projectFolder(),
    now: list.now,
    ...outside,
  })
  return { owner, database, list }
}

function letterFile(
  content = '---\nsubject: What I learned\n---\nThis month I learned a lot.\n',
): string {
  const file = join(temporaryFolder(), 'june.md')
  writeFileSync(file, content)
  return file
}

function projectFolder(releases = [release]): string {
  const folder = temporaryFolder()
  for (const name of ['kit', 'email']) mkdirSync(join(folder, 'dist', name), { recursive: true })
  writeFileSync(join(folder, 'dist/kit/releases.json'), JSON.stringify(releases))
  writeFileSync(
    join(folder, 'dist/email/announcement.json'),
    JSON.stringify(renderEmail(defaultContent, release)),
  )
  writeFileSync(join(folder, 'dist/email/starter-email.json'), JSON.stringify(shortTemplate))
  writeFileSync(
    join(folder, 'dist/email/letter.json'),
    JSON.stringify(renderLetterFrame(defaultContent)),
  )
  return folder
}
