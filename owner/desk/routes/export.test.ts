import { expect, test } from 'vitest'
import { subscribe } from '#rigs/owner/owner-terminal.ts'
import { deskApp, deskBrowser, signedIn } from '#rigs/owner/test-desk.ts'
import { enrol } from '#server/subscribers/subscribers.ts'

const everything = { who: 'everyone', tool: 'csv', consentedOnly: false } as const

test('the export is a file of everyone who matches, page by page', async () => {
  const app = await deskApp()
  const desk = await signedIn(app)
  const identities = Array.from({ length: 2_500 }, (_, index) => `p${index}@example.com`)
  const newcomers = identities.map((identity) => ({ identity, address: identity, abuse_key: null }))
  await enrol(app.database.query, newcomers, app.clock.now())
  const { headers, body } = await desk.call('POST export', everything)
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="people-csv-\d{4}-\d\d-\d\d\.csv"$/,
  )
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const lines = String(body).trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/^email,state/)
  expect(lines).toHaveLength(2_501)
})

test('the export of those who asked for news has them alone, in the columns of a tool', async () => {
  const app = await deskApp()
  const desk = await signedIn(app)
  for (const name of ['ada', 'ben']) await subscribe(app.database, `${name}@example.com`)
  await app.database.query
    .updateTable('subscribers')
    .set({ announcements_agreed_at: 1 })
    .where('identity', '=', 'ben@example.com')
    .execute()
  const wish = { who: 'everyone', tool: 'mailerlite', consentedOnly: true } as const
  expect((await desk.call('POST export', wish)).body).toBe('Email\r\nben@example.com\r\n')
  // Nobody who left wants news.
  expect((await desk.call('POST export', { ...wish, who: 'left' })).body).toBe('Email\r\n')
})

test('an export needs a fresh proof, and is in the audit', async () => {
  const app = await deskApp()
  expect((await deskBrowser(app).call('POST export', everything)).status).toBe(401)
  const desk = await signedIn(app)
  app.clock.advance(15 * 60_000)
  expect((await desk.call('POST export', everything)).status).toBe(403)
  await desk.signIn()
  expect((await desk.call('POST export', everything)).status).toBe(200)
  expect((await desk.call('GET audit', {})).body.acts[0]).toMatchObject({ act: 'people-exported' })
})

test('an export that fails midway breaks the connection instead of looking complete', async () => {
  const app = await deskApp({
    parts: {
      extensions: [
        () => ({
          answer: async (_request, path) => {
            if (path !== '/broken') return undefined
            return { status: 200, headers: {}, body: '', stream: brokenStream() }
          },
        }),
      ],
    },
  })
  const read = async () => (await fetch(`${app.url}/broken`)).text()
  await expect(read()).rejects.toThrow()
})

async function* brokenStream(): AsyncGenerator<string> {
  yield 'the first part'
  throw new Error('the database is away')
}
