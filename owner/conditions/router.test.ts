import { expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '#rigs/eventually.ts'
import { deskApp, signedIn } from '#rigs/owner/test-desk.ts'

test('a check-up runs beside the server, one at a time, and keeps its findings', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('DATABASE_URL', app.databaseUrl)
  vi.stubEnv('SMTP_URL', 'smtp://127.0.0.1:9')
  vi.stubEnv('PUBLIC_URL', 'http://127.0.0.1:9')
  await desk.checkUp.start.mutate({ testMail: false })
  const started = await desk.checkUp.show.query()
  expect(started).toMatchObject({ state: 'running', finishedAt: null })
  await desk.checkUp.start.mutate({ testMail: false })
  await eventually('it is over', async () => (await desk.checkUp.show.query()).state !== 'running')
  const over = await desk.checkUp.show.query()
  expect(over).toMatchObject({ state: 'done', startedAt: started.startedAt })
  expect(over.findings.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['configuration.public-url', 'database.answers', 'mail.connects']),
  )
})
