import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { deskApp, refusalOf, signedIn } from '#rigs/owner/test-desk.ts'
import type { TestApp } from '#rigs/server/test-app.ts'
import { runJobs } from '../../command-line/jobs/run-jobs.ts'
import { importAct } from '../../subscribers/import/import-people.ts'
import { findUndoable, undoImportAct } from '../../subscribers/import/undo-import.ts'

const csv =
  'E-Mail;Added\nada@example.com;2026-01-02\nno address;2026-01-02\nben@example.com;2026-01-03\n'
const columns = { email: 0, signedUpAt: 1 }
const hourMs = 60 * 60_000

test('a file is matched by its columns, tried out without a change, and imported with a day of consent', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  expect(await desk.import.header.mutate(csv)).toMatchObject({
    names: ['E-Mail', 'Added'],
    columns: { email: 0 },
  })
  const wish = { csv, columns, consentedOn: '2026-02-01' }
  const tried = await desk.import.tryOut.mutate(wish)
  expect(tried).toMatchObject({
    added: 2,
    known: 0,
    consented: 2,
    refusedCount: 1,
    refusalGroups: [{ reason: 'not an email address', count: 1, examples: [{ line: 3 }] }],
  })
  const search = () =>
    desk.people.search.query({ text: '', who: 'everyone', days: '', campaign: '', after: null })
  expect((await search()).people).toEqual([])
  await desk.import.start.mutate(wish)
  await runAll(app)
  expect(await search()).toMatchObject({
    people: [
      { address: 'ben@example.com', form: null, announcements_agreed_at: expect.any(Number) },
      { address: 'ada@example.com' },
    ],
  })
  expect(app.mailer.addresses()).not.toContain('ada@example.com')
  expect(await desk.import.tryOut.mutate(wish)).toMatchObject({ added: 0, known: 2, consented: 0 })
})

test('all lines that are refused are a file, and nothing is imported by it', async () => {
  const { desk } = await signedIn(await deskApp())
  const lines = await desk.import.refusedLines.mutate({ csv, columns })
  expect(lines).toBe('line,why\r\n3,"""no address"" is not an email address"\r\n')
  expect(await desk.import.tryOut.mutate({ csv, columns })).toMatchObject({ added: 2 })
})

test('a column chosen by hand says who has left elsewhere, and refuses their lines', async () => {
  const { desk } = await signedIn(await deskApp())
  const file = 'email,Zustand\nada@example.com,active\nben@example.com,unsubscribed\n'
  const tried = await desk.import.tryOut.mutate({ csv: file, columns: { email: 0, status: 1 } })
  expect(tried).toMatchObject({ added: 1, refusedCount: 1 })
})

test('a file that cannot be read or has no column of addresses, or a day of consent in the future, is refused with a sentence', async () => {
  const { desk } = await signedIn(await deskApp())
  const future = desk.import.tryOut.mutate({ csv, columns, consentedOn: '2999-01-01' })
  expect(await refusalOf(future)).toMatchObject({
    status: 409,
    message: expect.stringContaining('future'),
  })
  const unnamed = desk.import.tryOut.mutate({ csv, columns: {} })
  expect(await refusalOf(unnamed)).toMatchObject({ message: expect.stringContaining('No column') })
  const unreadable = desk.import.tryOut.mutate({
    csv: 'email\n"ada@example.com\n',
    columns: { email: 0 },
  })
  expect(await refusalOf(unreadable)).toMatchObject({
    status: 409,
    message: expect.stringContaining('cannot be read'),
  })
})

test('an import is seen with what came of it, and undone within a day but for those who signed up since', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  await desk.import.start.mutate({ csv, columns })
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

  const sendAgain = sql`update subscribers set last_mailed_at = 1 where identity = 'ben@example.com'`
  await app.change(sendAgain)
  await desk.import.undo.mutate()
  await runAll(app)
  expect(await app.database.rows(sql`select address from subscribers`)).toEqual([
    { address: 'ben@example.com' },
  ])
  expect((await desk.jobs.show.query())[0]).toMatchObject({
    outcome: '1 taken off again, 1 kept: they signed up since, or got a mail.',
  })
  expect(await refusalOf(desk.import.undo.mutate())).toMatchObject({ status: 409 })
})

test('an import that failed says so at the desk for a week', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  await desk.import.start.mutate({ csv, columns })
  const fails = () => Promise.reject(new Error('a piece of another version'))
  const acts = { import: fails, 'undo-import': fails, retry: fails, bounces: fails }
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
  const rows = sql`select address, form, last_mailed_at, announcements_cover as cover from subscribers`
  expect(await app.database.rows(rows)).toEqual([
    { address: 'Ada@example.com', form: null, last_mailed_at: 0, cover: 'news' },
  ])
  expect((await desk.you.show.query()).audit[0]).toMatchObject({ action: 'Added person' })
  for (const address of ['ada@example.com', 'no address']) {
    expect(await refusalOf(desk.import.addPerson.mutate({ address }))).toMatchObject({
      status: 409,
    })
  }
})

async function runAll({ context, database, clock }: TestApp): Promise<void> {
  const none = async () => ({})
  const acts = { import: importAct(context), 'undo-import': undoImportAct(context) }
  await runJobs(database, { ...acts, retry: none, bounces: none }, clock.now)
}
