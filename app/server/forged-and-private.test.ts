import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { permanent, temporary } from '#rigs/mail/programmable-mailer.ts'
import { sendRaw } from '#rigs/raw-http.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { anonKey, functionPath, ownOrigin, type TestApp, testApp } from '#rigs/server/test-app.ts'

describe('no header or body field of a request gets into a mail:', () => {
  test.each([
    ['Host', { host: 'localhost:666' }],
    [
      'forwarded hosts',
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'evil', 'x-host': 'evil.example' },
    ],
    ['Forwarded', { forwarded: 'host=evil.example;proto=https', 'x-original-url': '/evil' }],
    ['referer and agent', { referer: 'https://evil.example/', 'user-agent': 'evil <a@evil.example>' }],
    ['names in the body', { 'x-name': 'evil' }],
  ])('%s', async (_what, headers) => {
    const app = await testApp({ config: { trustedProxies: 2 } })
    const body = JSON.stringify({ email: 'ada@example.com', name: 'evil', url: 'https://evil.example' })
    const lines = Object.entries({ host: 'bot.example', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    const request = `POST ${functionPath}?next=evil HTTP/1.1\r\n${lines.join('')}apikey: ${anonKey}\r\n`
    const framing = `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    expect((await sendRaw(app.port, request + framing)).statuses).toEqual([200])
    await expect.poll(() => app.mailer.attempts).toHaveLength(1)
    const [{ message } = { message: {} }] = app.mailer.attempts
    const text = JSON.stringify(message)
    expect(text).not.toMatch(/evil|localhost/)
    const links = text.match(/https?:\/\/[^/"\\ <]+/g) ?? []
    expect(new Set(links)).toEqual(new Set([ownOrigin]))
    expect(links.length).toBeGreaterThan(4)
  })
})

describe('sign-up, retry, delivery, resend, bounce, second sign-up, unsubscription and erasure', () => {
  const marker = 'Marker-4d1c+Tag@Drill.Example'

  test('leave neither address nor link in log, metrics, headers, links of mails and files', async () => {
    const app = await testApp({
      config: { retrySeconds: [0, 0], resendAfterSeconds: 0, metricsToken: 'm', logLevel: 'debug' },
    })
    await addNeighbours(app, 'before')
    app.mailer.answer(() => (app.mailer.attempts.length === 1 ? temporary : { kind: 'accepted' }))
    await app.signUp(marker)
    await settled(app, 2)
    app.mailer.answer(() => permanent)
    await app.signUp(marker)
    await settled(app, 3)
    app.mailer.answer(() => ({ kind: 'accepted' }))
    await app.signUp(marker)
    await settled(app, 4)
    await addNeighbours(app, 'after')
    const { token } = await app.database.query
      .selectFrom('subscribers')
      .select('token')
      .where('address', '=', marker)
      .executeTakeFirstOrThrow()
    if (app.databaseFile) expect(isInFiles(app, 'marker-4d1c')).toBe(true)
    const told = [await readMetrics(app), ...(await sendNonsense(app, marker))]
    await app.database.runScript('alter table deliveries rename to gone')
    await app.signUp(marker)
    await fetch(`${app.url}/kit/${token}/erase`, { method: 'POST' })
    await app.database.runScript('alter table gone rename to deliveries')
    for (const action of ['', '/unsubscribe', '/erase'])
      await fetch(`${app.url}/kit/${token}${action}`, { method: action === '' ? 'GET' : 'POST' })

    await expect.poll(() => app.log()).toContain('sign-up not stored')
    told.push(app.log(), await readMetrics(app), ...app.mailer.attempts.flatMap(linksOf))
    for (const secret of ['marker-4d1c', 'drill.example', '127.0.0.1'])
      expect(told.join('\n').toLowerCase()).not.toContain(secret)
    expect(app.log()).not.toContain(token ?? 'no link')
    for (const line of app.log().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('event')
    expect(isInFiles(app, 'marker-4d1c')).toBe(false)
    await app.stopServer()
    expect(isInFiles(app, 'marker-4d1c')).toBe(false)
  })
})

/** People whose rows share pages with the marker's and move it about. Their mail is not due. */
async function addNeighbours({ database, clock }: TestApp, when: string) {
  const addresses = Array.from({ length: 200 }, (_, index) => `neighbour-${index}-${when}@example.com`)
  await queueMails(database.query, addresses, { now: clock.now(), dueInMs: 60 * 60_000 })
}

/** Requests with the address in every place it could be logged from. Returns the headers of the answers. */
async function sendNonsense({ url }: TestApp, address: string): Promise<string[]> {
  const [json, form] = ['application/json', 'application/x-www-form-urlencoded']
  const bodies: [type: string, body: string][] = [
    [json, `{"email":"${address}"`],
    [json, JSON.stringify({ email: `${address}@twice` })],
    [json, JSON.stringify({ email: [address] })],
    [form, `email=${encodeURIComponent(`${address}@twice`)}`],
    [form, `email=${encodeURIComponent(address)}`],
  ]
  const posted = bodies.map(([type, body]) =>
    fetch(url + functionPath, { method: 'POST', headers: { 'content-type': type, apikey: anonKey }, body }),
  )
  const paths = [`/?email=${encodeURIComponent(address)}`, `/kit/${encodeURIComponent(address)}`]
  const answers = await Promise.all([...posted, ...paths.map((path) => fetch(url + path))])
  for (const { status } of answers) expect(status).toBeLessThan(500)
  return answers.flatMap(({ headers }) => [...headers.values()])
}

async function readMetrics({ url }: TestApp): Promise<string> {
  return (await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer m' } })).text()
}

function linksOf({ message }: TestApp['mailer']['attempts'][number]): string[] {
  const links = JSON.stringify(message).match(/https?:[^\s"'<>\\]+/g) ?? []
  expect(links.length).toBeGreaterThan(0)
  return links
}

async function settled(app: TestApp, attempts: number) {
  await vi.waitFor(
    async () => {
      expect(app.mailer.attempts).toHaveLength(attempts)
      const rows = await app.database.query.selectFrom('deliveries').select('state').execute()
      expect(rows.map(({ state }) => state)).not.toContain('sending')
    },
    { timeout: 30_000 },
  )
}

/** False on PostgreSQL, whose files belong to its administrator. */
function isInFiles({ databaseFile }: TestApp, text: string): boolean {
  if (databaseFile === undefined) return false
  const folder = dirname(databaseFile)
  return readdirSync(folder).some((name) =>
    readFileSync(join(folder, name)).toString('latin1').toLowerCase().includes(text),
  )
}
