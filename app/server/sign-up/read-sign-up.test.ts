import { expect, test } from 'vitest'
import { functionPath, ownOrigin, type TestApp, testApp } from '#rigs/server/test-app.ts'

test.each([
  { typed: 'Jane <jane@example.com>', shown: 'jane@example.com' },
  { typed: 'jane@example.com,', shown: 'jane@example.com' },
  { typed: 'jane@münchen.example', shown: 'jane@münchen.example' },
])('a plain form with $typed signs $shown up', async ({ typed, shown }) => {
  const app = await testApp()
  const answer = await postForm(app, typed)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain(`<h1>result-sent</h1> ${shown}`)
})

test('a plain form without an address gives back what was typed', async () => {
  const app = await testApp()
  const answer = await postForm(app, 'Jane at example.com')
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('<h1>result-invalid</h1> Jane at example.com')
})

test('a program is told that an address with a name is none', async () => {
  const app = await testApp()
  expect((await app.signUp('Jane <jane@example.com>')).status).toBe(400)
  expect((await app.signUp('jane@example.com,')).status).toBe(400)
})

test('a program is not asked about a likely slip', async () => {
  const app = await testApp()
  const answer = await app.signUp('jane@gmial.com')
  expect(await answer.json()).toMatchObject({ alreadyExists: false })
})

function postForm(app: TestApp, email: string): Promise<Response> {
  const body = new URLSearchParams({ email })
  return fetch(app.url + functionPath, { method: 'POST', headers: { origin: ownOrigin }, body })
}
