import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { makeProjectFolder } from '#rigs/owner/doctor-site.ts'
import { openOwnerTerminal, subscribe } from '#rigs/owner/owner-terminal.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { listMailings, readMailing } from './mailings.ts'

const news = '---\nsubject: News\nto: everyone\n---\nHello **all**.'

test('a file becomes a draft, which is sent, paused, resumed and cancelled by name or number', async () => {
  const { mailings, letters, change } = await terminal()
  expect(await mailings('add', fileOf('news.md', news))).toEqual({
    code: 0,
    printed: 'news is a draft. "mailings send news --dry-run" shows who would get it.\n',
    aside: '',
  })
  expect(await letters()).toMatchObject([
    { name: 'news', state: 'draft', subject: 'News', to: 'everyone', words: 'Hello **all**.' },
  ])
  const said = async (...words: string[]) => (await mailings(...words)).printed
  expect(await said('send', 'news', '--now')).toBe('“News” starts now.\n')
  expect(await said('cancel', 'news')).toBe('“News” is a draft.\n')
  expect(await said('send', 'news')).toContain('It starts at 2026-01-02 03:05:05 UTC.')
  await change(sql`update mailings set state = 'sending'`)
  expect(await said('pause', '1')).toBe('“News” is paused.\n')
  expect(await said('resume', '1')).toBe('“News” is going out.\n')
  expect(await said('cancel', 'news')).toBe('“News” was cancelled.\n')
})

test('the list has the figures, as a table and as JSON', async () => {
  const { mailings, change } = await terminal()
  expect((await mailings('list')).printed).toBe('There are no letters.\n')
  await mailings('add', fileOf('news.md', news))
  await change(sql`update mailings set to_send = 12, sent = 9, failed = 2, left_after = 1`)
  expect((await mailings('list')).printed).toBe(
    'id  name  title  state  days  toSend  sent  failed  left\n' +
      ' 1  news  News   draft            12     9       2     1\n',
  )
  const [listed] = JSON.parse((await mailings('list', '--json')).printed)
  expect(listed).toMatchObject({ name: 'news', title: 'News', sent: 9 })
  expect(listed).not.toHaveProperty('words')
})

test('--replace writes a file over a draft, and nothing else replaces one', async () => {
  const { mailings, letters, change } = await terminal()
  const file = fileOf('news.md', news)
  await mailings('add', file)
  expect(await mailings('add', file)).toMatchObject({
    code: 2,
    aside: expect.stringContaining(
      'There is a letter named news. Use --replace news if it is a draft.',
    ),
  })
  const other = fileOf('news.md', '---\nsubject: Other\nnot: news\nafter-days: 3\n---\nNew words.')
  expect(await mailings('add', other, '--replace', 'news')).toMatchObject({
    code: 1,
    aside: 'This letter is not one of the series.\n',
  })
  const once = fileOf('news.md', '---\nsubject: Other\nat: 2026-02-03T04:05Z\n---\nNew words.')
  expect(await mailings('add', once, '--replace', 'news')).toMatchObject({ code: 0 })
  expect(await letters()).toMatchObject([
    {
      name: 'news',
      subject: 'Other',
      words: 'New words.',
      to: 'consented',
      sendAt: Date.UTC(2026, 1, 3, 4, 5),
    },
  ])
  await change(sql`update mailings set state = 'done'`)
  expect(await mailings('add', file, '--replace', 'news')).toMatchObject({
    code: 2,
    aside: expect.stringContaining('news is done, so it cannot be replaced.'),
  })
  expect(await mailings('add', file, '--replace', 'none')).toMatchObject({
    code: 1,
    aside: 'There is no letter named none.\n',
  })
})

test('a letter for those who have not had another names it', async () => {
  const { mailings, letters } = await terminal()
  await mailings('add', fileOf('first.md', news))
  await mailings('add', fileOf('second.md', news.replace('\n---\n', '\nnot: first\n---\n')))
  expect(await letters()).toMatchObject([{ notMailing: null }, { name: 'second', notMailing: 1 }])
})

test('a dry run shows who would get it and the mail, and changes nothing', async () => {
  const { mailings, letters } = await terminal()
  await mailings('add', fileOf('news.md', news))
  const { printed } = await mailings('send', 'news', '--dry-run')
  expect(printed).toContain('Would get it (to: everyone)  1\n')
  expect(printed).toMatch(/ {2}never asked +1\n/)
  expect(printed).toMatch(/\nSubject: News\n\n/)
  const plan = JSON.parse((await mailings('send', 'news', '--dry-run', '--json')).printed)
  expect(plan).toMatchObject({ recipients: 1, to: 'everyone', subject: 'News' })
  expect(await letters()).toMatchObject([{ state: 'draft' }])
})

test.each([
  ['once', news, 'Send “News” to 1 person? Type yes.'],
  [
    'of the series',
    news.replace('\n---\n', '\nafter-days: 2\n---\n'),
    'Switch on “News”? Type yes.',
  ],
])('in a terminal a letter %s is sent after a yes alone', async (_, file, asked) => {
  const questions: string[] = []
  let answer = 'no'
  const ask: CommandContext['ask'] = async (question) => {
    questions.push(question)
    return answer
  }
  const { mailings, letters } = await terminal({ ask })
  await mailings('add', fileOf('news.md', file))
  expect(await mailings('send', 'news')).toMatchObject({ code: 1, aside: 'Nothing was sent.\n' })
  expect(await letters()).toMatchObject([{ state: 'draft' }])
  answer = 'yes'
  expect(await mailings('send', 'news')).toMatchObject({ code: 0 })
  expect(await letters()).not.toMatchObject([{ state: 'draft' }])
  expect(questions).toEqual([asked, asked])
})

test.skipIf(testsRunOnPostgres)(
  'a test goes to one address, and says if nobody on the list has it',
  async () => {
    const { mailings } = await terminal()
    await mailings('add', fileOf('news.md', news))
    // She had no mail yet, so her links are made for the test.
    expect((await mailings('test', 'news', 'ada@example.com')).printed).toBe(
      'Sent to ada@example.com.\n',
    )
    expect((await mailings('test', 'news', 'me@example.org')).printed).toBe(
      'Sent to me@example.org. The links below it lead to the home page: nobody on the list has this address.\n',
    )
  },
)

test('the help names each command, and the law', async () => {
  const { mailings } = await terminal()
  const { aside } = await mailings()
  for (const words of [
    'Letters to subscribers, and the series',
    'Show the letters, with their figures',
    'Make a draft from a file',
    'Mail a test to one address',
    'Send a letter, or switch on one of the series',
    'Send nothing more for now, or switch off one of the series',
    'Continue after a pause',
    'Send nothing more. Within the first minute it is a draft again',
  ]) {
    expect(aside.replaceAll(/\s+/g, ' ')).toContain(words)
  }
  for (const [command, ...words] of [
    [
      'add',
      'FILE Markdown that begins with the lines ---, subject: …, ---',
      '--replace <NAME> Replace this draft',
      'mailings add news.md',
      'mail like this needs consent',
    ],
    [
      'test',
      'NAME The name or the number of a letter',
      'ADDRESS Only this address gets it',
      'mailings test news you@example.com',
    ],
    [
      'send',
      'NAME The name or the number of a letter',
      '--dry-run Show who would get it, and the mail. Change nothing',
      '--now Start at once. Without it, you have a minute to cancel',
      'mailings send news --dry-run',
    ],
    ['pause', 'NAME The name or the number of a letter', 'mailings pause news'],
  ] as const) {
    const { printed } = await mailings(command, '--help')
    for (const one of words) expect(printed.replaceAll(/\s+/g, ' ')).toContain(one)
  }
})

/** A site with one person on the list, who was never asked for consent. */
async function terminal(outside: Partial<CommandContext> = {}) {
  const folder = makeProjectFolder()
  const { database, owner } = await openOwnerTerminal({}, { folder, ...outside })
  await subscribe(database, 'ada@example.com', 'sent')
  return {
    mailings: (...words: string[]) => owner('mailings', ...words),
    letters: async () => {
      const all = await listMailings(database, sql`order by id`)
      return Promise.all(all.map(({ id }) => readMailing(database, id)))
    },
    change: (query: ReturnType<typeof sql>) =>
      database.transaction((transaction) => transaction.run(query)),
  }
}

function fileOf(name: string, content: string): string {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, content)
  return file
}
