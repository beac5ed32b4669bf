import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { serveHttp } from '#rigs/listening.ts'
import { takenDesk } from '#rigs/owner/taken-desk.ts'
import { deskBrowser, refusalOf } from '#rigs/owner/test-desk.ts'
import { leadsHere } from '#owner/conditions/site/ask-server.ts'

const minuteMs = 60_000
/** Nothing listens there. */
const elsewhere = 'https://127.0.0.1:2'

test('an image does not know its address, until the one that the desk is open at is saved', async () => {
  const { app, desk } = await takenDesk()
  expect(await desk.address.show.query()).toEqual({ publicUrl: null, isFixed: false })
  const saved = await desk.address.save.mutate({ publicUrl: `${app.url}/`, isSure: false })
  expect(saved).toEqual({ publicUrl: app.url, link: null })
  expect(await desk.address.show.query()).toEqual({ publicUrl: app.url, isFixed: false })
  expect(app.context.config.publicUrl).toBe(app.url)
  expect((await desk.you.show.query()).audit[0]).toMatchObject({ action: 'Changed the address' })
})

test('an address that does not lead here is stored only if the owner is sure', async () => {
  const { app, desk } = await takenDesk()
  const refused = await refusalOf(desk.address.save.mutate({ publicUrl: elsewhere, isSure: false }))
  expect(refused).toMatchObject({ status: 412, message: expect.stringContaining(elsewhere) })
  expect(app.context.settings.current.isAddressKnown).toBe(false)
  await desk.address.save.mutate({ publicUrl: elsewhere, isSure: true })
  expect(app.context.config.publicUrl).toBe(elsewhere)
})

test('at another address of this server a link signs in, which proves no more than the session that asked for it', async () => {
  const { app, desk } = await takenDesk()
  const proxy = await siteThat((request, response) => passOn(request, response, app.url))
  app.clock.advance(14 * minuteMs)
  const { link } = await desk.address.save.mutate({ publicUrl: proxy, isSure: false })
  expect(link).toMatch(new RegExp(`^${RegExp.escape(proxy)}/desk/link#[\\w-]{43}$`))
  app.clock.advance(minuteMs)
  const { desk: there } = deskBrowser(app, { headers: { origin: proxy } })
  await there.signIn.byLink.mutate(new URL(link!).hash.slice(1))
  expect(await there.address.show.query()).toMatchObject({ publicUrl: proxy })
  const saving = there.address.save.mutate({ publicUrl: proxy, isSure: false })
  expect(await refusalOf(saving)).toMatchObject({ status: 403 })
})

/** What another site might answer to be taken for this server. */
const otherSites: Record<string, RequestListener> = {
  'answers 200 to everything': (_request, response) => response.end('It works!'),
  'answers in the form of ours': (_request, response) =>
    response.end(JSON.stringify({ address: '127.0.0.1', proxies: 0, proof: '' })),
  'sends back what it was asked with': ({ headers: { authorization = '' } }, response) => {
    const [, proof] = authorization.split('.')
    response.end(JSON.stringify({ address: '127.0.0.1', proxies: 0, proof }))
  },
  'never ends its answer': (_request, response) => {
    const writing = setInterval(() => response.write('['.repeat(1_000)), 1)
    response.on('close', () => clearInterval(writing))
  },
}

test.each(Object.keys(otherSites))(
  'another site that %s is not taken for this server, and gets no link',
  async (kind) => {
    const { app, desk } = await takenDesk()
    const publicUrl = await siteThat(otherSites[kind]!)
    const refused = await refusalOf(desk.address.save.mutate({ publicUrl, isSure: false }))
    expect(refused).toMatchObject({ status: 412 })
    expect(await desk.address.save.mutate({ publicUrl, isSure: true })).toEqual({
      publicUrl,
      link: null,
    })
    expect(await app.database.rows(sql`select 1 from desk_secrets`)).toEqual([])
  },
)

test('an answer that this server gave before proves nothing: each question is a new one', async () => {
  const { app, desk } = await takenDesk()
  let kept = ''
  const publicUrl = await siteThat(async (request, response) => {
    if (kept === '') kept = await answerOf(request, app.url)
    response.end(kept)
  })
  const { secret } = app.context
  expect(await leadsHere(publicUrl, secret)).toBe(true) // it passed that one on
  const refused = await refusalOf(desk.address.save.mutate({ publicUrl, isSure: false }))
  expect(refused).toMatchObject({ status: 412 })
})

/** Returns the origin of a site on this machine. */
async function siteThat(answers: RequestListener): Promise<string> {
  const { url, close } = await serveHttp(answers)
  onTestFinished(close)
  return url
}

async function passOn(request: IncomingMessage, response: ServerResponse, to: string) {
  response.end(await answerOf(request, to))
}

async function answerOf({ url = '', headers }: IncomingMessage, at: string): Promise<string> {
  const { authorization = '' } = headers
  const answer = await fetch(at + url, { method: 'POST', headers: { authorization } })
  return answer.text()
}

test('a bare name gets https://', async () => {
  const { app, desk } = await takenDesk()
  await desk.address.save.mutate({ publicUrl: '127.0.0.1:2', isSure: true })
  expect(app.context.config.publicUrl).toBe(elsewhere)
})

test.each(['', 'my page', 'https://turnbot.invalid/page', 'ftp://turnbot.invalid'])(
  'what is no address of a site is told at its field: %j',
  async (publicUrl) => {
    const { desk } = await takenDesk()
    const refused = await refusalOf(desk.address.save.mutate({ publicUrl, isSure: true }))
    expect(refused).toMatchObject({ field: 'publicUrl', status: 409 })
  },
)

test('an address that the environment sets wins and cannot be changed at the desk', async () => {
  const { app, desk } = await takenDesk({ PUBLIC_URL: 'http://127.0.0.1:3000' })
  expect(await desk.address.show.query()).toEqual({
    publicUrl: 'http://127.0.0.1:3000',
    isFixed: true,
  })
  const refused = await refusalOf(desk.address.save.mutate({ publicUrl: elsewhere, isSure: true }))
  expect(refused).toMatchObject({ field: 'publicUrl', message: 'The environment sets it.' })
  expect(app.context.config.publicUrl).toBe('http://127.0.0.1:3000')
})
