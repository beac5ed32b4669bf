import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { act, ownOrigin, type TestApp, testApp } from '#rigs/server/test-app.ts'

const minuteMs = 60_000

test('a receipt says that the mail waits, is slow after 8 seconds, and was handed over', async () => {
  const app = await testApp()
  const sending = app.mailer.hold()
  const receipt = await signUp(app)
  expect(await status(app, receipt)).toEqual({
    state: 'waiting',
    handedOverAt: null,
    allMailIsSlow: false,
  })
  app.clock.advance(8_000)
  expect(await status(app, receipt)).toEqual({
    state: 'slow',
    handedOverAt: null,
    allMailIsSlow: false,
  })
  sending({ kind: 'accepted' })
  await expect
    .poll(() => status(app, receipt))
    .toEqual({
      state: 'handed-over',
      handedOverAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      allMailIsSlow: false,
    })
})

test('a receipt is over after 30 minutes, and ends with its subscriber', async () => {
  const app = await testApp()
  const first = await signUp(app)
  const second = await signUp(app, 'bob@example.com')
  await act(app, 'bob@example.com', 'erase')
  expect((await app.inject(`/receipts/${second}`)).statusCode).toBe(404)
  app.clock.advance(29 * minuteMs)
  expect((await app.inject(`/receipts/${first}`)).statusCode).toBe(200)
  app.clock.advance(2 * minuteMs)
  expect((await app.inject(`/receipts/${first}`)).statusCode).toBe(404)
})

test('a receipt outlives another domain of the sender', async () => {
  const app = await testApp()
  app.mailer.hold()
  const receipt = await signUp(app)
  await app.change(sql`update deliveries set message_id = replace(message_id, '@', '@former.')`)
  expect(await status(app, receipt)).toMatchObject({ state: 'waiting' })
})

test('the Message-ID of a mail, which others may see, does not give its receipt away', async () => {
  const app = await testApp()
  const receipt = await signUp(app)
  const [, time, secret = ''] = /^([0-9a-z]{9})([\w-]{13})$/.exec(receipt) ?? []
  await expect.poll(() => app.mailer.attempts).toHaveLength(1)
  const { messageId } = app.mailer.attempts[0]!.message
  expect(messageId).toContain(time)
  expect(messageId).not.toContain(secret)
})

test.each(['', 'x', 'a'.repeat(22), 'a'.repeat(300), '%00'])(
  'an unknown receipt is a 404: "%s"',
  async (receipt) => {
    const app = await testApp()
    expect([400, 404]).toContain((await app.inject(`/receipts/${receipt}`)).statusCode)
  },
)

test('a receipt is JSON for a browser too, is stored nowhere, and a script of our page may read it', async () => {
  const app = await testApp()
  const url = `/receipts/${await signUp(app)}`
  const answer = await app.inject({ url, headers: { accept: 'text/html', origin: ownOrigin } })
  expect(answer.json()).toMatchObject({ allMailIsSlow: false })
  expect(answer.headers).toMatchObject({
    'cache-control': 'no-store',
    'access-control-allow-origin': ownOrigin,
  })
})

async function signUp(app: TestApp, email = 'ada@example.com'): Promise<string> {
  return (await (await app.signUp(email)).json()).receipt
}

async function status(app: TestApp, receipt: string) {
  const answer = await app.inject(`/receipts/${receipt}`)
  return answer.json()
}
