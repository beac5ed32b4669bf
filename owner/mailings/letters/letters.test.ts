import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { renderLetter as renderFrame } from '#site/mail/letter.tsx'
import { temporaryDatabase, testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { waitingForLocks } from '#rigs/database/waiting-for-locks.ts'
import { sender, shortTemplate } from '#rigs/server/queue-mails.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { writeSetting } from '#server/database/settings.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { composeAnnouncement, previewMail } from '../announcement-mail.ts'
import { startAnnouncement } from '../announce.ts'
import { renderMarkdown } from './markdown.ts'
import { addDraft, changeDraft, readDrafts, removeDraft } from './drafts.ts'
import { readLetterFile } from './letter-file.ts'
import { nameOfLetter } from './letter-name.ts'

test.each([
  ['One\n\nTwo', '<p>One</p>\n<p>Two</p>', 'One\n\nTwo'],
  ['# Hello\n\nText', '<h2>Hello</h2>\n<p>Text</p>', 'Hello\n\nText'],
  ['**bold**\n`code`', '<p><strong>bold</strong>\n<code>code</code></p>', 'bold code'],
  ['- one\n- **two**', '<ul>\n<li>one</li>\n<li><strong>two</strong></li>\n</ul>', '* one\n * two'],
  ['1. one\n2. two', '<ol>\n<li>one</li>\n<li>two</li>\n</ol>', '1. one\n 2. two'],
  ['> said', '<blockquote>\n<p>said</p>\n</blockquote>', '> said'],
  ['```\na < b\n```', '<pre>a &lt; b</pre>', 'a < b'],
  ['a\n\n---\n\nb', '<p>a</p>\n<hr>\n<p>b</p>', `a\n\n${'-'.repeat(40)}\n\nb`],
  [
    '[me](https://e.co/?b&c)',
    '<p><a href="https://e.co/?b&amp;c">me</a></p>',
    'me:\nhttps://e.co/?b&c',
  ],
  ['[me](mailto:a@b.co)', '<p><a href="mailto:a@b.co">me</a></p>', 'me:\na@b.co'],
  ['Ask a@b.co now', '<p>Ask <a href="mailto:a@b.co">a@b.co</a> now</p>', 'Ask a@b.co now'],
  ['[bad](javascript:alert(1))', '<p>[bad](javascript:alert(1))</p>', '[bad](javascript:alert(1))'],
  ['[bad](xhttp://e.co)', '<p>[bad](xhttp://e.co)</p>', '[bad](xhttp://e.co)'],
  [
    '![a chart](http://e.co/c.png)',
    '<p><a href="http://e.co/c.png">a chart</a></p>',
    'a chart:\nhttp://e.co/c.png',
  ],
  ['![](http://e.co/)', '<p><a href="http://e.co/">http://e.co/</a></p>', 'http://e.co/'],
  [
    '![a chart](/pictures/AbCdEfGhIjKlMnOpQrStUv-1104x620.png)',
    '<p><img src="https://bot.example/pictures/AbCdEfGhIjKlMnOpQrStUv-1104x620.png" alt="a chart" width="552" height="310"></p>',
    'a chart',
  ],
  ['a <img src=x>', '<p>a &lt;img src=x&gt;</p>', 'a <img src=x>'],
  [
    '<script>alert(1)</script>',
    '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
    '<script>alert(1)</script>',
  ],
  ['{address} & $& $1', '<p>{ address} &amp; $&amp; $1</p>', '{ address} & $& $1'],
])('the letter %j has this HTML and this text', async (markdown, html, text) => {
  const mail = await mailOf(markdown)
  expect(mail.html).toContain(`<h1>News</h1><div>${html}</div>`)
  expect(mail.text).toContain(`News\n\n${text}\n\n`)
})

test.each(['*a_', '![', '> ', '[a]('])(
  'the time for %j, over and over, grows with the length of the letter and not with its square',
  (piece) => {
    // The processor's time, because a busy machine changes it little. It counts in ticks.
    const tickUs = 10_000
    const timeUs = (pieces: number, letters: number) => {
      const text = piece.repeat(pieces)
      const start = process.threadCpuUsage()
      for (let letter = 0; letter < letters; letter += 1) {
        renderMarkdown(text, attributes)
      }
      const { user, system } = process.threadCpuUsage(start)
      return user + system
    }
    const short = timeUs(500, 80)
    expect(timeUs(8_000, 5)).toBeLessThan(6 * Math.max(short, tickUs))
  },
)

test('subject and the beginning of the text are what a mail program shows in its list', async () => {
  const { subject, html } = await mailOf(
    `**Hello**,\n\n"you" ${'and more '.repeat(30)}`,
    ' Ada &\n {Co} ',
  )
  expect(subject).toBe('Ada & { Co}')
  expect(html).toContain('<title>Ada &#38; { Co}</title>')
  expect(/<body><div>(.*?)<\/div>/.exec(html)?.[1]).toBe(
    `Hello, &#34;you&#34; ${'and more '.repeat(30).slice(0, 120 - 'Hello, "you" '.length)}`,
  )
})

test.each([
  ['\uFEFF---\r\nsubject: News\r\n---\r\nHello\r\n', 'News', 'Hello'],
  [
    "---\nto: all\nSubject:  'Old  news' \n---\n\n---\nsubject: no\n---\n",
    'Old news',
    '---\nsubject: no\n---',
  ],
  ['---\nsubject: "News"\n---\nHello', 'News', 'Hello'],
  [`---\nsubject: "Q" and "A"'\n---\nHello`, `"Q" and "A"'`, 'Hello'],
])('the file %j is read', async (content, subject, text) => {
  expect(await readLetterFile(fileOf(content), noPicture)).toEqual({
    name: 'june',
    kind: 'letter',
    subject,
    preview: '',
    text,
  })
})

test('the words after the subject stand in the file as its preview', async () => {
  const file = fileOf('---\nsubject: News\nPreview: "Soon"\n---\nHello')
  expect(await readLetterFile(file, noPicture)).toMatchObject({ subject: 'News', preview: 'Soon' })
})

test('the name of a file has at most 80 letters', async () => {
  const read = (length: number) =>
    readLetterFile(fileOf('---\nsubject: x\n---\nText', `${'a'.repeat(length)}.md`), noPicture)
  expect((await read(80)).name).toBe('a'.repeat(80))
  await expect(read(81)).rejects.toThrow('is no name')
})

test('pictures beside the file get their path on the site, and other addresses stay', async () => {
  const pictures = '![A chart](chart.png) ![Again](./chart.png) ![Kept](/pictures/x.png)'
  const path = fileOf(`---\nsubject: News\n---\n${pictures} ![Web](<https://x.example/a.png> "b")`)
  writeFileSync(join(dirname(path), 'chart.png'), 'bytes')
  const { text } = await readLetterFile(path, (bytes) => `/pictures/${bytes.toString()}`)
  expect(text).toBe(
    '![A chart](/pictures/bytes) ![Again](/pictures/bytes) ![Kept](/pictures/x.png) ![Web](<https://x.example/a.png> "b")',
  )
})

test.each([
  ['---\nno subject: x\n---\nText', 'june.md', 'must begin with the lines ---, subject: …, ---'],
  ['Text\n---\nsubject: x\n---\nText', 'june.md', 'must begin with the lines'],
  ['---\nsubject: x\n---\n', 'june.md', 'must begin with the lines'],
  ['---\nsubject: x\n---\nText', 'our june.md', 'our june is no name: use letters'],
  ['---\nsubject: x\n---\n![x](a.png "A title")', 'june.md', 'Write a picture as ![descr'],
  ['---\nsubject: x\n---\n![x](a chart.png)', 'june.md', 'Write a picture as ![description]'],
  ['---\nsubject: x\n---\n![x]( a.png )', 'june.md', 'Write a picture as ![description]'],
])('the file %j, named %s, is refused', async (content, name, why) => {
  await expect(readLetterFile(fileOf(content, name), noPicture)).rejects.toThrow(why)
})

test('drafts are kept side by side, each word by itself, and a late save of one that is gone changes nothing', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  expect(await readDrafts(database)).toEqual([])
  const news = { subject: 'News', preview: 'Soon', text: 'Hello' }
  const add = (words: typeof news, now: number) =>
    database.transaction((transaction) => addDraft(transaction, words, now))
  const first = await add(news, 1)
  const second = await add({ ...news, subject: 'Other news' }, 2)
  await changeDraft(database, first, { subject: 'Of another tab' }, 3)
  expect(await readDrafts(database)).toEqual([
    { ...news, id: first, subject: 'Of another tab', changedAt: 3 },
    { ...news, id: second, subject: 'Other news', changedAt: 2 },
  ])
  await database.transaction((transaction) => removeDraft(transaction, first))
  await changeDraft(database, first, { text: 'Late' }, 4)
  expect(await readDrafts(database)).toMatchObject([{ id: second }])
})

test.runIf(testsRunOnPostgres)(
  'a save that began before its draft was removed does not bring it back',
  async () => {
    const { database } = await temporaryDatabase(ownerMigrations)
    const words = { subject: 'News', preview: '', text: 'Hello' }
    const id = await database.transaction((transaction) => addDraft(transaction, words, 1))
    let late: Promise<void> | undefined
    await database.transaction(async (transaction) => {
      await removeDraft(transaction, id)
      late = changeDraft(database, id, { text: 'Late' }, 2)
      await expect.poll(() => waitingForLocks(database)).toBe(1)
    })
    await late
    expect(await readDrafts(database)).toEqual([])
  },
)

test('a draft is kept under the id that the browser chose, and each of its words changes by itself', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  const words = { subject: 'News', preview: 'Soon', text: 'Hello' }
  const id = await database.transaction((transaction) => addDraft(transaction, words, 1, '-own'))
  expect(id).toBe('-own')
  await changeDraft(database, id, { preview: 'Now' }, 2)
  await changeDraft(database, id, { text: 'Bye' }, 3)
  expect(await readDrafts(database)).toEqual([
    { id, subject: 'News', preview: 'Now', text: 'Bye', changedAt: 3 },
  ])
})

test('the draft that the first desk kept is a draft among others', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  await database.transaction((transaction) =>
    writeSetting(transaction, 'letter-draft', '{"subject":"News","text":"Hello"}'),
  )
  expect(await readDrafts(database)).toEqual([
    { id: '', subject: 'News', preview: '', text: 'Hello', changedAt: 0 },
  ])
})

test('a letter has the name of its subject, the same for the same subject, and never that of another', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  const nameFor = async (subject: string) => {
    const name = await nameOfLetter(database, subject)
    const template = { ...shortTemplate, subject }
    await startAnnouncement(database, { name, kind: 'letter', to: 'everyone', template }, 0)
    return name
  }
  expect(await nameFor('Zwölf neue Bots!')).toBe('zwolf-neue-bots')
  expect(await nameFor('Zwölf neue Bots!')).toBe('zwolf-neue-bots')
  expect(await nameFor('Zwölf neue Bots?')).toBe('zwolf-neue-bots-2')
  expect(await nameFor('Новости')).toBe('letter')
  expect(await nameFor('新闻')).toBe('letter-2')
})

test.each([`${'a'.repeat(59)} b`, `¡${'a'.repeat(59)} b!`])(
  'the name of the letter %j is cut, without a dash at its ends',
  async (subject) => {
    const { database } = await temporaryDatabase(ownerMigrations)
    expect(await nameOfLetter(database, subject)).toBe('a'.repeat(59))
  },
)

function fileOf(content: string, name = 'june.MD'): string {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, content)
  return file
}

const { attributes } = renderFrame(defaultContent)

/** The HTML is without its styles. */
async function mailOf(text: string, subject = 'News') {
  const mails = { announcement: null, letter: renderFrame(defaultContent) }
  const mail = await previewMail(
    composeAnnouncement({ content: defaultContent, mails }, 'consented', {
      kind: 'letter',
      subject,
      text,
    }),
    sender,
  )
  return { ...mail, html: mail.html.replaceAll(/ (?:style|class|data-[\w-]+)="[^"]*"/g, '') }
}

function noPicture(): never {
  throw new Error('The letter has no picture')
}
