import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { deskApp, type deskBrowser, refusalOf, signedIn } from '#rigs/owner/test-desk.ts'
import type { TestApp } from '#rigs/server/test-app.ts'
import { answerOf } from '#owner/desk/views/api/send-file.ts'
import { startJob } from '#owner/acts/jobs/jobs.ts'
import { type JobAct, type JobActs, runJobs } from '#owner/acts/jobs/run-jobs.ts'
import { importAct } from './import-people.ts'
import { findUndoable, undoImportAct } from './undo-import.ts'
import type { ImportSummary } from './import-file.ts'

const file =
  'E-Mail;Added\nada@example.com;2026-01-02\nno address;2026-01-02\nben@example.com;2026-01-03\n'
const columns = { email: '0', signedUpAt: '1' }
const hourMs = 60 * 60_000

test('a file is matched by its columns, tried out without a change, and imported with a day of consent', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  const { desk } = browser
  expect(await desk.import.header.mutate(file)).toEqual({
    names: ['E-Mail', 'Added'],
    columns: { email: 0 },
  })
  const wish = { ...columns, consentedOn: '2026-02-01' }
  expect(await tryOut(browser, file, wish)).toMatchObject({
    added: 2,
    known: 0,
    consented: 2,
    refusedCount: 1,
    refusalGroups: [{ reason: 'not an email address', count: 1, examples: [{ line: 3 }] }],
  })
  const search = () =>
    desk.people.search.query({ text: '', who: 'everyone', days: '', campaign: '', after: null })
  expect((await search()).people).toEqual([])
  await start(browser, file, wish)
  await runAll(app)
  expect(await search()).toMatchObject({
    people: [
      { address: 'ben@example.com', form: null, announcements_agreed_at: expect.any(Number) },
      { address: 'ada@example.com' },
    ],
  })
  expect(app.mailer.addresses()).not.toContain('ada@example.com')
  expect(await tryOut(browser, file, wish)).toMatchObject({ added: 0, known: 2, consented: 0 })
})

test('all lines that are refused are a file, and nothing is imported by it', async () => {
  const browser = await signedIn(await deskApp())
  const answer = await send(browser, 'import-file', file, { act: 'refused-lines', ...columns })
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toContain('lines-that-were-refused.csv')
  expect(await answer.text()).toBe('line,why\r\n3,"""no address"" is not an email address"\r\n')
  expect(await tryOut(browser, file, columns)).toMatchObject({ added: 2, consented: 0 })
})

test('the columns that say who may be mailed are told, and none of them is used if none is chosen', async () => {
  const browser = await signedIn(await deskApp())
  const left = 'email,Status,GDPR\nada@example.com,active,x\nben@example.com,unsubscribed,x\n'
  expect(await tryOut(browser, left, { email: '0' })).toMatchObject({
    added: 1,
    refusedCount: 1,
    permissionColumns: [{ name: 'Status', isAsked: false }],
    unread: ['GDPR'],
  })
  expect(await tryOut(browser, left, { email: '0', status: 'none' })).toMatchObject({
    added: 2,
    permissionColumns: [],
    unread: ['Status', 'GDPR'],
  })
  const silent = 'email,Subscribed\nada@example.com,x\nben@example.com,\n'
  expect(await tryOut(browser, silent, { email: '0', left: '1:' })).toMatchObject({
    added: 1,
    permissionColumns: [{ name: 'Subscribed', isAsked: true }],
  })
})

test('a column chosen by hand is asked about value by value, and nothing is imported before all are explained', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  const states =
    'email,Zustand\nada@example.com,aktiv\nben@example.com,weg: ja\ncyd@example.com,unsubscribed\n'
  const wish = { email: '0', status: '1' }
  expect(await tryOut(browser, states, wish)).toMatchObject({
    added: 0,
    unclear: 2,
    refusedCount: 1,
    permissionColumns: [
      {
        index: 1,
        isAsked: true,
        values: [
          { value: 'aktiv', count: 1, permission: 'unclear' },
          { value: 'weg: ja', count: 1, permission: 'unclear' },
          { value: 'unsubscribed', count: 1, permission: 'left' },
        ],
      },
    ],
  })
  expect(await refusalOf(start(browser, states, wish))).toMatchObject({
    status: 409,
    message: expect.stringMatching(/"Zustand" says "aktiv": 1 line\n.*\nNothing was imported\.$/),
  })
  const explained = { ...wish, mailed: '1:aktiv', left: '1:weg: ja' }
  expect(await tryOut(browser, states, explained)).toMatchObject({
    added: 1,
    unclear: 0,
    refusedCount: 2,
    permissionColumns: [{ isAsked: true }],
  })
})

test('a file that cannot be read or has no column of addresses, or a day of consent in the future, is refused with a sentence', async () => {
  const browser = await signedIn(await deskApp())
  const future = tryOut(browser, file, { ...columns, consentedOn: '2999-01-01' })
  expect(await refusalOf(future)).toMatchObject({
    status: 409,
    message: expect.stringContaining('future'),
  })
  expect(await refusalOf(tryOut(browser, file, {}))).toMatchObject({
    message: expect.stringContaining('No column'),
  })
  const unreadable = tryOut(browser, 'email\n"ada@example.com\n', { email: '0' })
  expect(await refusalOf(unreadable)).toMatchObject({
    status: 409,
    message: expect.stringContaining('cannot be read'),
  })
})

test('an import is seen with what came of it, and undone within a day but for those who signed up since', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  const { desk } = browser
  await start(browser, file, columns)
  expect(await desk.jobs.show.query()).toMatchObject([
    { title: 'Import of 2 people', state: 'running', done: 0 },
  ])
  expect(await desk.import.undoable.query()).toBeNull()
  await runAll(app)
  expect(await desk.jobs.show.query()).toMatchObject([
    { state: 'done', outcome: '2 added, 0 on the list before, 1 refused.' },
  ])
  expect(await desk.import.undoable.query()).toMatchObject({ counts: { added: 2 } })
  expect(await findUndoable(app.database, app.clock.now() + 25 * hourMs)).toBeUndefined()

  await app.signUp('ben@example.com')
  await desk.import.undo.mutate()
  expect((await desk.you.show.query()).audit[0]).toMatchObject({ action: 'Undid an import' })
  await runAll(app)
  expect(await app.database.rows(sql`select address from subscribers`)).toEqual([
    { address: 'ben@example.com' },
  ])
  expect((await desk.jobs.show.query())[0]).toMatchObject({
    outcome: '1 removed, 1 kept: they signed up since, or got a mail.',
  })
  expect(await refusalOf(desk.import.undo.mutate())).toMatchObject({ status: 409 })
})

test('the name of an import is a campaign, by which its people are found and can be written to', async () => {
  const app = await deskApp()
  const { desk, ...browser } = await signedIn(app)
  await start({ desk, ...browser }, file, { ...columns, campaign: ' Über Gumroad ' })
  expect(await desk.jobs.show.query()).toMatchObject([
    { title: 'Import of 2 people: über-gumroad' },
  ])
  await runAll(app)
  const everyone = { text: '', who: 'everyone', days: '', after: null } as const
  const found = await desk.people.search.query({ ...everyone, campaign: 'über-gumroad' })
  expect(found.people).toHaveLength(2)
  expect((await desk.people.onTheList.query()).campaigns).toEqual(['über-gumroad'])
})

test('an undo that was stopped can be started again, and takes off the rest', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  const { desk } = browser
  const many = Array.from({ length: 250 }, (_, index) => `person-${index}@example.com\n`)
  await start(browser, `email\n${many.join('')}`, { email: '0' })
  await runAll(app)
  await desk.import.undo.mutate()
  expect(await desk.import.undoable.query()).toBeNull()
  const [undo] = await desk.jobs.show.query()
  // It stops while its first piece is done.
  const stopAfterOne: JobAct = async (transaction, items, job) => {
    const counts = await undoImportAct(app.context)(transaction, items, job)
    await transaction.run(sql`update owner_jobs set state = 'stopped' where id = ${undo!.id}`)
    return counts
  }
  await runAll(app, { 'undo-import': stopAfterOne })
  expect(await desk.import.undoable.query()).toMatchObject({ counts: { added: 250 }, people: 150 })
  await desk.import.undo.mutate()
  await runAll(app)
  expect(await app.database.rows(sql`select id from subscribers`)).toEqual([])
  expect(await desk.import.undoable.query()).toBeNull()
})

test('an import that added nobody leaves the one before it to be undone', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  for (const _ of [1, 2]) {
    await start(browser, file, columns)
    await runAll(app)
  }
  expect(await browser.desk.import.undoable.query()).toMatchObject({ people: 2 })
})

test.each(['import', 'undo-import'] as const)(
  'a start of the kind %s that was broken off leaves the last import to be undone',
  async (kind) => {
    const app = await deskApp()
    const browser = await signedIn(app)
    await start(browser, file, columns)
    await runAll(app)
    const { id } = (await browser.desk.import.undoable.query())!
    const job = { kind, about: String(id), action: 'Broken off', now: app.clock.now() }
    const item = {
      toJSON() {
        throw new Error('broken off')
      },
    }
    await expect(startJob(app.database, job, [item])).rejects.toThrow('broken off')
    expect(await browser.desk.import.undoable.query()).toMatchObject({ id })
  },
)

test('an import that failed says so at the desk for a week', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  const { desk } = browser
  await start(browser, file, columns)
  const fails = () => Promise.reject(new Error('a piece of another version'))
  const acts = { import: fails, 'undo-import': fails, retry: fails, suppress: fails }
  for (const _ of [1, 2, 3]) {
    await expect(runJobs(app.database, acts, app.clock.now)).rejects.toThrow('another version')
  }
  app.clock.advance(2 * hourMs)
  expect(await desk.jobs.show.query()).toMatchObject([
    { state: 'stopped', outcome: expect.stringMatching(/^A part of it failed three times\./) },
  ])
})

test('one person is put on the list without a mail, once, and is in the audit without the address', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  const ada = { address: 'Ada@example.com', consentedOn: '2026-02-01' }
  await desk.import.addPerson.mutate(ada)
  const rows = sql`select address, form, announcements_agreed_at is not null as agreed from subscribers`
  expect(await app.database.rows(rows)).toEqual([
    { address: 'Ada@example.com', form: null, agreed: expect.toSatisfy(Boolean) },
  ])
  expect((await desk.you.show.query()).audit[0]).toMatchObject({ action: 'Added a person' })
  await app.signUp('bob@example.com')
  await app.change(sql`update subscribers set state = 'blocked' where identity = 'bob@example.com'`)
  for (const [address, message] of [
    ['ada@example.com', 'That address is on the list already.'],
    ['no address', 'That is not an email address.'],
    ['bob+tag@example.com', 'The holder of that inbox blocked our mail.'],
  ] as const) {
    const refusal = await refusalOf(desk.import.addPerson.mutate({ address }))
    expect(refusal).toEqual({ status: 409, message })
  }
  const ahead = { address: 'cyd@example.com', consentedOn: '2999-01-01' }
  expect(await refusalOf(desk.import.addPerson.mutate(ahead))).toEqual({
    status: 409,
    message: 'The day of their consent is in the future.',
  })
})

test('without an import of the last day nothing is undone', async () => {
  const { desk } = await signedIn(await deskApp())
  expect(await desk.import.undoable.query()).toBeNull()
  expect(await refusalOf(desk.import.undo.mutate())).toMatchObject({
    message: 'There is no import of the last day to undo.',
  })
})

test('people whom the owner adds or imports do not open a page that is held back', async () => {
  const app = await deskApp({ isHeldBack: true })
  const browser = await signedIn(app)
  await browser.desk.import.addPerson.mutate({ address: 'ada@example.com' })
  await start(browser, file, columns)
  await runAll(app)
  expect((await app.database.rows(sql`select 1 from subscribers`)).length).toBeGreaterThan(1)
  await app.context.settings.refresh()
  const restarted = await deskApp({ isHeldBack: true, databaseUrl: app.databaseUrl })
  for (const one of [app, restarted]) expect((await one.inject('/')).statusCode).toBe(503)
})

test('a column that is no number is refused before the file is read', async () => {
  const browser = await signedIn(await deskApp())
  expect(await refusalOf(tryOut(browser, file, { email: 'first' }))).toMatchObject({ status: 400 })
})

test('an import begins only after a fresh proof of who is there', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  app.clock.advance(16 * 60_000)
  expect(await refusalOf(start(browser, file, columns))).toMatchObject({ status: 403 })
  expect(await tryOut(browser, file, columns)).toMatchObject({ added: 2 })
})

type Browser = ReturnType<typeof deskBrowser>

/** The query of the request. */
type Wish = Record<string, string>

function send(browser: Browser, route: string, body: string, wish: Wish): Promise<Response> {
  return browser.send(`/desk/api/${route}?${new URLSearchParams(wish)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body,
  })
}

async function tryOut(browser: Browser, body: string, wish: Wish): Promise<ImportSummary> {
  return answerOf(await send(browser, 'import-file', body, { act: 'try-out', ...wish }))
}

async function start(browser: Browser, body: string, wish: Wish): Promise<unknown> {
  return answerOf(await send(browser, 'start-import', body, wish))
}

async function runAll(
  { context, database, clock }: TestApp,
  others: Partial<JobActs> = {},
): Promise<void> {
  const none = async () => ({})
  const acts = { import: importAct(context), 'undo-import': undoImportAct(context) }
  await runJobs(database, { ...acts, retry: none, suppress: none, ...others }, clock.now)
}
