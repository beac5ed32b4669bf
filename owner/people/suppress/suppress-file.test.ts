import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { deskApp, refusalOf, signedIn } from '#rigs/owner/test-desk.ts'
import { answerOf } from '#owner/desk/views/api/send-file.ts'
import { runJobs } from '#owner/acts/jobs/run-jobs.ts'
import { jobActs } from '#owner/start/job-acts.ts'

const file =
  'email,reason\nada@example.com,hardBounce\nben@example.com,unsubscribed\nx@example.com,\n'

test('a table is tried out at the desk without a change, takes its people off, and they can be put back', async () => {
  const app = await deskApp()
  for (const name of ['ada', 'ben']) await app.signUp(`${name}@example.com`)
  const { desk, send } = await signedIn(app)
  const post = (route: string, body: string) =>
    send(`/desk/api/${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body,
    })
  expect(await answerOf(await post('suppress-file', file))).toEqual({
    taken: { returned: 1, unsubscribed: 1, complaint: 0 },
    unchanged: 1,
    strangers: 0,
  })
  for (const reason of ['returned', 'unsubscribed', 'complaint'] as const) {
    expect(await answerOf(await post(`suppress-file?reason=${reason}`, file))).toEqual({
      taken: { returned: 0, unsubscribed: 0, complaint: 0, [reason]: 2 },
      unchanged: 0,
      strangers: 1,
    })
  }
  const states = () => app.database.rows(sql`select state from subscribers order by id`)
  expect(await states()).toEqual([{ state: 'active' }, { state: 'active' }])

  await answerOf(await post('start-suppress', file))
  expect((await desk.you.show.query()).audit[0]).toMatchObject({ action: 'Took people off' })
  await runJobs(app.database, jobActs(app.context), app.clock.now)
  expect(await states()).toEqual([{ state: 'undeliverable' }, { state: 'unsubscribed' }])
  expect((await desk.jobs.show.query())[0]).toMatchObject({
    title: 'Taking 2 addresses off the list',
    outcome: 'Taken off the list: 1 undeliverable, 1 unsubscribed, 0 blocked.',
  })
  for (const id of [1, 2]) await desk.people.putBack.mutate({ id })
  expect(await states()).toEqual([{ state: 'active' }, { state: 'active' }])
  expect(await refusalOf(answerOf(await post('suppress-file', 'name\nAda\n')))).toMatchObject({
    status: 409,
    message: expect.stringContaining('No column has the addresses'),
  })
})

test('somebody who complained is not put back', async () => {
  const app = await deskApp()
  await app.signUp('ada@example.com')
  const { desk, send } = await signedIn(app)
  const body = 'email,event\nada@example.com,complaint\n'
  const headers = { 'content-type': 'application/octet-stream' }
  await answerOf(await send('/desk/api/start-suppress', { method: 'POST', headers, body }))
  await runJobs(app.database, jobActs(app.context), app.clock.now)
  expect(await desk.people.show.query({ id: 1 })).toMatchObject({
    state: 'blocked',
    canPutBack: false,
  })
})
