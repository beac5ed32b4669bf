import { expect, onTestFinished, test, vi } from 'vitest'
import { deskApp, signedIn } from '#rigs/owner/test-desk.ts'

test('a check-up does not block requests, runs one at a time, and keeps its findings', async () => {
  const app = await deskApp()
  const desk = await signedIn(app)
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('DATABASE_URL', app.databaseUrl)
  vi.stubEnv('SMTP_URL', 'smtp://127.0.0.1:9')
  vi.stubEnv('PUBLIC_URL', 'http://127.0.0.1:9')
  const started = await desk.call('POST check-up/start', { testMail: false })
  expect(started.body).toMatchObject({ state: 'running', finishedAt: null, sections: [] })
  const again = await desk.call('POST check-up/start', { testMail: false })
  expect(again.body.startedAt).toBe(started.body.startedAt)
  let slowestMs = 0
  for (;;) {
    const asked = performance.now()
    const { body } = await desk.call('GET check-up', {})
    slowestMs = Math.max(slowestMs, performance.now() - asked)
    if (body.state !== 'running') break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const { body } = await desk.call('GET check-up', {})
  expect(body).toMatchObject({ state: 'done', startedAt: started.body.startedAt })
  expect(body.sections.map(({ name }) => name)).toEqual([
    'Configuration',
    'Content',
    'Database',
    'Site',
    'Links in the mail',
    'Mail server',
    'DNS',
  ])
  expect(slowestMs).toBeLessThan(1_000)
})
