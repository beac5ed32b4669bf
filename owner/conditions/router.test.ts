import { expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '#rigs/eventually.ts'
import { deskApp, refusalOf, signedIn } from '#rigs/owner/test-desk.ts'

test('a check-up runs beside the server, one at a time, and its conditions are on the list', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('DATABASE_URL', app.databaseUrl)
  vi.stubEnv('SMTP_URL', 'smtp://127.0.0.1:9')
  vi.stubEnv('PUBLIC_URL', 'http://127.0.0.1:9')
  const checkUp = async () => (await desk.today.state.query()).checkUp
  await desk.conditions.startCheckUp.mutate({ testMail: false })
  const started = await checkUp()
  expect(started).toMatchObject({ state: 'running', finishedAt: null })
  await desk.conditions.startCheckUp.mutate({ testMail: false })
  await eventually('it is over', async () => (await checkUp()).state !== 'running')
  const over = await checkUp()
  expect(over).toMatchObject({ state: 'done', startedAt: started.startedAt })
  expect((await desk.today.state.query()).conditions.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'address.public',
      'database.answers',
      'mail.connects',
      'check-up.finished',
    ]),
  )
})

test('pasted headers that say nothing are refused, with what to paste', async () => {
  const { desk } = await signedIn(await deskApp())
  expect(await refusalOf(desk.conditions.pasteHeaders.mutate({ headers: 'Subject: Hi' }))).toEqual({
    status: 409,
    message:
      'There is no line “Authentication-Results:” in it. Paste all headers of the test mail, as it arrived.',
  })
})
