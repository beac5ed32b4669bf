import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { freePort } from '../rigs/listening.ts'
import { complaintsOf, heroForm, hydrate, signUp, startJourney } from './journey.ts'

/** Answers as the gateway of Supabase's functions does, on a separate origin. */
const port = await freePort()
const origin = `http://localhost:${port}`
const received: {
  method: string | undefined
  headers: IncomingMessage['headers']
  body: string
}[] = []
let answer: (response: ServerResponse) => void = () => {}

const gateway = createServer(async (request, response) => {
  const body = (await request.toArray()).join('')
  received.push({ method: request.method, headers: request.headers, body })
  response.setHeader('access-control-allow-origin', '*')
  // A header that is not listed here fails the preflight.
  response.setHeader(
    'access-control-allow-headers',
    'authorization, x-client-info, apikey, content-type',
  )
  if (request.method === 'OPTIONS') return void response.end('ok')
  if (request.url !== '/functions/v1/send-starter-bot-email') {
    return void response.writeHead(404).end()
  }
  response.setHeader('content-type', 'application/json')
  answer(response)
}).listen(port, 'localhost')
afterAll(() => {
  gateway.closeAllConnections()
  gateway.close()
})

const journey = startJourney({ FUNCTIONS_URL: `${origin}/functions/v1`, ANON_KEY: 'its.anon.key' })
const json = (status: number, body: object) => (response: ServerResponse) =>
  void response.writeHead(status).end(JSON.stringify(body))

beforeEach(() => {
  received.length = 0
})

test('a sign-up goes to FUNCTIONS_URL after a preflight, with ANON_KEY and the address alone', async () => {
  answer = json(200, { success: true, alreadyExists: false })
  const page = await journey.open()
  const complaints = complaintsOf(page)
  await page.goto('/?utm_source=newsletter')
  await hydrate(page)
  await signUp(heroForm(page), 'ana@example.com')
  await page.getByText('Success! Check your email for the download link.').waitFor()
  const [preflight, request] = received
  expect(preflight?.method).toBe('OPTIONS')
  expect(request).toMatchObject({
    method: 'POST',
    headers: { authorization: 'Bearer its.anon.key', apikey: 'its.anon.key' },
    body: '{"email":"ana@example.com"}',
  })
  expect(request?.headers).not.toHaveProperty('x-attribution')
  // Without a receipt the note is a plain success, and nothing is asked.
  const note = () => heroForm(page).form.locator('.note').textContent()
  await expect.poll(note).toContain('Check your inbox')
  expect(await note()).toContain('You can ask again at')
  expect(await heroForm(page).field.inputValue()).toBe('')
  expect(complaints).toEqual([])
  expect(journey.inbox.mails).toEqual([])
})
