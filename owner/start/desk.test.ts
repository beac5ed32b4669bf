import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { fullReadsOf } from '#rigs/database/full-reads.ts'
import { ownerOf } from '#rigs/owner/owner-commands.ts'
import { codesIn, deskApp, deskBrowser, refusalOf, signedIn } from '#rigs/owner/test-desk.ts'
import { ownOrigin, testApp } from '#rigs/server/test-app.ts'

test('without OWNER_EMAIL there is no desk', async () => {
  const app = await testApp()
  for (const path of ['/desk', '/desk/people', '/desk/api/today.show']) {
    expect((await fetch(app.url + path)).status).toBe(404)
  }
})

test.each([
  { publicUrl: 'http://desk.example', isSaid: true },
  { publicUrl: 'https://desk.example', isSaid: false },
  { publicUrl: 'http://localhost:3000', isSaid: false },
])(
  'at $publicUrl the log says that browsers refuse the cookie: $isSaid',
  async ({ publicUrl, isSaid }) => {
    const app = await deskApp({ config: { publicUrl } })
    await app.stopServer() // the log is written by then
    expect(app.log().includes('nobody can sign in at the desk')).toBe(isSaid)
  },
)

test('every path gets the app, which runs no script but its files, and a file has its own type', async () => {
  const app = await deskApp()
  for (const path of ['/desk', '/desk/people/12', '/desk/link']) {
    const { status, headers } = await fetch(app.url + path)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'; script-src 'self'; style-src 'self'/,
    )
  }
  const file = await fetch(`${app.url}/desk/assets/index-0123.js`)
  expect(file.headers.get('content-type')).toContain('javascript')
  expect(file.headers.get('cache-control')).toContain('immutable')
  expect((await fetch(`${app.url}/desk/assets/no-such-file.js`)).status).toBe(404)
})

test('without a cookie every address of the API but signing in answers 401, and says nothing else', async () => {
  const app = await deskApp()
  const error = { code: 'UNAUTHORIZED', httpStatus: 401 }
  for (const path of [
    'today.show',
    'people.show',
    'you.session',
    'no-such-thing',
    'export',
    'signIn',
  ]) {
    for (const method of ['GET', 'POST']) {
      const headers = { origin: ownOrigin, 'content-type': 'application/json' }
      const answer = await fetch(`${app.url}/desk/api/${path}`, { method, headers })
      expect([answer.status, await answer.json()]).toMatchObject([401, { error: { data: error } }])
    }
  }
})

test('no answer of the API is stored: it may hold addresses', async () => {
  const app = await deskApp()
  const stranger = deskBrowser(app)
  const owner = await signedIn(app)
  const answers = [
    await stranger.send('/desk/api/today.show'),
    await stranger.send('/desk/api/signIn.mailCode', { method: 'POST' }),
    await owner.send('/desk/api/you.show'),
    await owner.send('/desk/api/no-such-thing'),
    await owner.send('/desk/api/page-as-file'),
  ]
  for (const { headers } of answers) expect(headers.get('cache-control')).toBe('no-store')
})

test('a POST from a foreign origin is refused before any other check', async () => {
  const app = await deskApp()
  for (const path of ['signIn.mailCode', 'people.search', 'no-such-thing', 'export']) {
    const headers = { origin: 'https://evil.example' }
    const answer = await fetch(`${app.url}/desk/api/${path}`, {
      method: 'POST',
      headers,
      body: 'not JSON',
    })
    expect([answer.status, await answer.json()]).toMatchObject([
      403,
      { error: { data: { code: 'FORBIDDEN' } } },
    ])
  }
})

test('a scanner that fetches every link by HEAD and GET spends neither a code nor a link', async () => {
  const app = await deskApp()
  const owner = ownerOf(
    app.databaseUrl,
    { OWNER_EMAIL: 'owner@example.org' },
    { now: app.clock.now },
  )
  const link = new URL((await owner('desk-link')).printed.trim())
  const browser = deskBrowser(app)
  const code = await browser.askForCode()
  const mail = app.mailer.attempts.at(-1)!.message.text
  const inMail = mail.match(/https?:\S+/g)?.map((address) => new URL(address).pathname) ?? []
  const api = ['mailCode', 'byCode', 'byLink', 'byPasskey', 'passkeyOptions']
  for (const path of [...inMail, link.pathname, ...api.map((name) => `/desk/api/signIn.${name}`)]) {
    for (const method of ['HEAD', 'GET']) await browser.send(path, { method })
  }
  expect(codesIn(app)).toHaveLength(1)
  await browser.desk.signIn.byCode.mutate(code)
  await deskBrowser(app).desk.signIn.byLink.mutate(link.hash.slice(1))
})

test('while the database is away the API of the desk answers 503 in JSON', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  app.takeDatabaseAway()
  expect(await refusalOf(desk.today.state.query())).toMatchObject({ status: 503 })
})

test('what a view reads holds up no visitor: beside them the desk reads its sessions alone', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  const search = { text: '', who: 'everyone', days: '', campaign: '', after: null } as const
  const letter = await desk.mailings.add.mutate({ kind: 'letter' })
  app.visitorsReads.length = 0
  await desk.you.show.query()
  await desk.today.state.query()
  await desk.today.figures.query({ days: 28 })
  await desk.people.search.query(search)
  await desk.people.countFound.query(search)
  await desk.people.onTheList.query()
  await refusalOf(desk.people.show.query({ id: 1 }))
  await desk.mail.show.query()
  await desk.mail.list.query({ state: 'failed' })
  await desk.mailings.list.query()
  await desk.mailings.one.query({ id: letter })
  await desk.mailings.audience.query({ id: letter, revision: 1 })
  await desk.conditions.webhookEvents.query()
  const others = app.visitorsReads.filter((text) => !text.includes('from desk_sessions'))
  expect(others).toEqual([])
})

test('no read that the desk repeats within a minute reads all people, mails or counts', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  app.ownersReads.length = 0
  await desk.today.state.query()
  await desk.today.figures.query({ days: 28 })
  await desk.jobs.show.query()
  await desk.mailings.list.query()
  expect(app.ownersReads.length).toBeGreaterThan(10)
  for (const query of app.ownersReads) {
    expect(await fullReadsOf(app.database, query), query.sql).toEqual([])
  }
})

// PostgreSQL chooses by the number of rows.
test.skipIf(testsRunOnPostgres)(
  'what counts all people reads one index of the list, and nothing else of it',
  async () => {
    const app = await deskApp()
    const { desk } = await signedIn(app)
    const id = await desk.mailings.add.mutate({ kind: 'letter' })
    app.ownersReads.length = 0
    await desk.mailings.audience.query({ id, revision: 1 })
    await desk.people.onTheList.query()
    const reads = app.ownersReads.filter((query) => query.sql.includes('from subscribers'))
    expect(reads).toHaveLength(2)
    for (const query of reads) {
      const full = await fullReadsOf(app.database, query)
      expect(full).toEqual([expect.stringContaining('subscribers_by_group')])
    }
  },
)

test('a count of all people is told from reads of a few', async () => {
  const { database } = await deskApp()
  const all = sql`select count(*) as count from subscribers where address like ${'%a%'}`
  expect(await fullReadsOf(database, all)).toHaveLength(1)
  expect(await fullReadsOf(database, sql`select * from subscribers where id = ${1}`)).toEqual([])
})

test('input that no procedure takes is refused, and a body of a stranger may be small', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  const search = (fields: object) =>
    refusalOf(
      desk.people.search.query({
        text: '',
        who: 'everyone',
        days: '',
        campaign: '',
        after: null,
        ...fields,
      }),
    )
  for (const fields of [
    { text: 'a\0b' },
    { who: 'nobody' },
    { days: '8' as '7' },
    { after: { at: 0, id: -1 } },
  ]) {
    expect(await search(fields)).toMatchObject({
      status: 400,
      message: 'The server does not accept this input.',
    })
  }
  const body = JSON.stringify('x'.repeat(20_000))
  const headers = { 'content-type': 'application/json' }
  const answer = await deskBrowser(app).send('/desk/api/signIn.byLink', {
    method: 'POST',
    headers,
    body,
  })
  expect(answer.status).toBe(413)
})

test.each([
  ['signIn.state', 'application/json', 4_000_001, 'The file is larger than 4 MB.'],
  ['export', 'application/json', 4_000_001, 'The file is larger than 4 MB.'],
  [
    'page-file?kind=guide&name=g.pdf&before=',
    'application/octet-stream',
    11_000_001,
    'The file is larger than 11 MB.',
  ],
  ['page-as-file', 'application/octet-stream', 22_000_001, 'The file is larger than 22 MB.'],
  [
    'import-file?act=try-out',
    'application/octet-stream',
    40_000_001,
    'The file is larger than 40 MB.',
  ],
])('the body of %s has a limit of its own', async (path, type, length, message) => {
  const app = await deskApp()
  const browser = await signedIn(app)
  const answer = await browser.send(`/desk/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: Buffer.alloc(length, ' '),
  })
  expect(answer.status).toBe(413)
  expect(await answer.json()).toMatchObject({ error: { message } })
})

test.each(['people.list', 'page.save', 'export'])(
  'JSON that is nested millions deep is not parsed: %s',
  async (path) => {
    const app = await deskApp()
    const browser = await signedIn(app)
    const answer = await browser.send(`/desk/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '['.repeat(3_900_000),
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: { message: 'The server does not accept this input.' },
    })
  },
)

test.each([
  'import-file',
  'start-import',
  'suppress-file',
  'start-suppress',
  'page-file',
  'page-as-file',
])('a body of JSON is not read where a file is expected, which may be larger: %s', async (path) => {
  const browser = await signedIn(await deskApp())
  const answer = await browser.send(`/desk/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '"'.padEnd(10_000_000, '\\"'),
  })
  expect(answer.status).toBe(415)
  expect(await answer.json()).toMatchObject({
    error: { message: 'A file is sent as application/octet-stream.' },
  })
})
