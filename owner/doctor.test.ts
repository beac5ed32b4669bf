import { expect, onTestFinished, test } from 'vitest'
import { openOwnerTerminal, ownerNow, ownerOf, subscribe } from '#testing/owner-terminal.ts'
import { startSmtpInbox } from '#testing/smtp-inbox.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'

test('nothing is wrong with a fresh installation', async () => {
  const { owner } = await openOwnerTerminal()
  const { code, printed } = await owner('doctor')
  expect({ code, end: printed.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, end: 'Nothing is wrong.' })
  expect(printed).toContain('is up to date and can be written')
})

test('every fault of the configuration is named', async () => {
  const { owner } = await openOwnerTerminal({ PORT: 'x', PUBLIC_URL: 'nonsense' })
  const { code, printed } = await owner('doctor')
  expect(code).toBe(1)
  expect(printed).toMatch(/WRONG +PORT must be/)
  expect(printed).toMatch(/WRONG +PUBLIC_URL must be/)
})

test('the mail server is really asked', async () => {
  const inbox = await startSmtpInbox()
  const { owner } = await openOwnerTerminal({ SMTP_URL: inbox.url })
  expect((await owner('doctor')).printed).toContain(`127.0.0.1:${inbox.port} takes our mail`)
  await inbox.close()
  const { code, printed } = await owner('doctor')
  expect(code).toBe(1)
  expect(printed).toContain('does not take our mail: ECONNREFUSED')
})

test('it tries a password as the server would: over a network only encrypted', async () => {
  const inbox = await startSmtpInbox()
  onTestFinished(() => inbox.close())
  const away = `0.0.0.0:${inbox.port}` // this machine, by a name that does not say so
  const { owner } = await openOwnerTerminal({ SMTP_URL: `smtp://user:secret@${away}` })
  expect((await owner('doctor')).printed).toContain(`${away} does not take our mail: smtp 500 to STARTTLS`)
})

test('mail that is stuck is found', async () => {
  const { database, owner } = await openOwnerTerminal()
  await subscribe(database, 'ada@example.com')
  expect((await owner('doctor')).code).toBe(0)
  await database.query
    .updateTable('deliveries')
    .set({ due_at: ownerNow - 6 * 60_000 })
    .execute()
  expect(await owner('doctor')).toMatchObject({
    code: 1,
    printed: expect.stringContaining('mail has been waiting for 6 minutes'),
  })
})

test('addresses that only this machine knows are wrong in production', async () => {
  const { owner } = await openOwnerTerminal({ NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1:1' })
  const { printed } = await owner('doctor')
  expect(printed).toMatch(/WRONG +links in the mail lead to http:\/\/localhost/)
  expect(printed).toMatch(/WRONG +mail comes from starter@localhost/)
})

test('a database that is not there is not made', async () => {
  const { code, printed } = await ownerOf(`file:${temporaryFolder()}/none.db`)('doctor')
  expect(code).toBe(1)
  expect(printed).toMatch(/WRONG +There is no database at .*none\.db yet/)
})
