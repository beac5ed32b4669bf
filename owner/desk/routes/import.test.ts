import { expect, test } from 'vitest'
import { deskApp, refusalOf, signedIn } from '#rigs/owner/test-desk.ts'

const csv =
  'E-Mail;Added\nada@example.com;2026-01-02\nno address;2026-01-02\nben@example.com;2026-01-03\n'
const columns = { email: 0, signedUpAt: 1 }

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
  expect(await desk.import.start.mutate(wish)).toMatchObject({ added: 2 })
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
