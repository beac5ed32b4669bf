import { describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '#rigs/server/test-app.ts'
import { runMaintenance } from '../maintenance.ts'
import { createLog } from '../log.ts'

const yearMs = 366 * 24 * 60 * 60_000

describe('"I did not ask for this"', () => {
  test('asks first: opening it changes nothing, and one press takes the inbox off the list', async () => {
    const { app, link, states } = await mailed('ada+1@example.com', 'ada+2@example.com')
    expect(await textOf(`${link}/block`)).toContain('<h1>block</h1> ada+1@example.com')
    expect(await states()).toEqual(['active', 'active'])
    expect(await blocks(app)).toEqual([])
    expect(await textOf(`${link}/block`, 'POST')).toContain('<h1>blocked</h1>')
    expect(await states()).toEqual(['unsubscribed', 'unsubscribed'])
    expect(await textOf(`${link}/block`)).toContain('<h1>blocked</h1>')
  })

  test('takes addresses off the list that signed up before the server knew of its first block', async () => {
    const { app, link, states } = await mailed('ada@example.com')
    await app.signUp('somebody@example.com') // what it knows of the site is kept for 200 ms
    const blocked = textOf(`${link}/block`, 'POST')
    await expect.poll(() => blocks(app), { interval: 5 }).toHaveLength(1)
    expect((await app.signUp('ada+late@example.com')).status).toBe(200)
    expect(await blocked).toContain('<h1>blocked</h1>')
    expect(await states()).toEqual(['unsubscribed', 'active', 'unsubscribed'])
  })

  test('takes the addresses that it knows of off the list at once, in case the process ends', async () => {
    const { link, states } = await mailed('ada@example.com')
    let isAnswered = false
    const blocked = fetch(`${link}/block`, { method: 'POST' }).then(() => (isAnswered = true))
    await expect.poll(states, { interval: 5 }).toEqual(['unsubscribed'])
    expect(isAnswered).toBe(false)
    await blocked
  })

  test('is known to a server whose clock was set back', async () => {
    const { app, link } = await mailed('ada@example.com')
    app.clock.advance(-yearMs)
    await fetch(`${link}/block`, { method: 'POST' })
    expect((await app.signUp('ada@example.com')).status).toBe(429)
  })

  test('blocks every spelling of the inbox for a year, and nobody else', async () => {
    const { app, link } = await mailed('ada.b@gmail.com')
    await fetch(`${link}/block`, { method: 'POST' })
    app.clock.advance(1_000) // what a sign-up knows of the site may be that old
    const refused = await app.signUp('adab+x@googlemail.com')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(yearMs / 1000 - 60)
    expect((await app.signUp('bob@gmail.com')).status).toBe(200)
    app.clock.advance(yearMs + 1_000)
    expect((await app.signUp('ada.b@gmail.com')).status).toBe(200)
  })

  test('outlives the erasure, without the address, and the link still lifts it', async () => {
    const { app, link } = await mailed('ada@example.com')
    await fetch(`${link}/block`, { method: 'POST' })
    await fetch(`${link}/erase`, { method: 'POST' })
    app.clock.advance(1_000)
    expect(JSON.stringify(await blocks(app))).not.toMatch(/ada|example/)
    expect((await app.signUp('ada@example.com')).status).toBe(429)
    expect((await fetch(link)).status).toBe(404)
    expect(await textOf(`${link}/block`)).toContain('<h1>blocked</h1>')
    expect(await textOf(`${link}/unblock`)).toContain('<h1>blocked</h1>')
    expect((await app.signUp('ada@example.com')).status).toBe(429)
    expect(await textOf(`${link}/unblock`, 'POST')).toContain('<h1>unblocked</h1>')
    app.clock.advance(1_000)
    expect(await (await app.signUp('ada@example.com')).json()).toMatchObject({ alreadyExists: false })
    expect((await fetch(`${link}/block`)).status).toBe(404)
  })

  test('is not revealed to others with HIDE_ALREADY_EXISTS', async () => {
    const { app, link } = await mailed('ada@example.com')
    await fetch(`${link}/block`, { method: 'POST' })
    const hiding = await testApp({
      databaseUrl: app.databaseUrl,
      config: { hideAlreadyExists: true },
    })
    expect((await hiding.signUp('ada@example.com')).status).toBe(200)
    expect(hiding.mailer.attempts).toHaveLength(0)
  })

  test('is refused to a link of nobody, and to a foreign origin', async () => {
    const { app, link } = await mailed('ada@example.com')
    expect((await fetch(`${app.url}/kit/${'a'.repeat(22)}/block`)).status).toBe(404)
    const headers = { origin: 'https://elsewhere.example' }
    expect((await fetch(`${link}/block`, { method: 'POST', headers })).status).toBe(403)
    expect(await blocks(app)).toEqual([])
  })

  test('is forgotten after its year', async () => {
    const { app, link } = await mailed('ada@example.com')
    await fetch(`${link}/block`, { method: 'POST' })
    const { database } = app
    const context = { database, template: '', keepUnopenedDays: Infinity, extensions: [] }
    const log = createLog('error', 'key', () => {})
    await runMaintenance({ ...context, log, now: () => app.clock.now() + yearMs + 1_000 })
    expect(await blocks(app)).toEqual([])
  })
})

const blocks = ({ database }: TestApp) => database.query.selectFrom('blocked_addresses').selectAll().execute()

const textOf = async (url: string, method = 'GET') => (await fetch(url, { method })).text()

/** `link`: that of the first. */
async function mailed(...addresses: string[]) {
  const app = await testApp({})
  for (const address of addresses) await app.signUp(address)
  await expect.poll(() => app.mailer.attempts).toHaveLength(addresses.length)
  const people = app.database.query.selectFrom('subscribers').select(['token', 'state']).orderBy('id')
  const [first] = await people.execute()
  return {
    app,
    link: `${app.url}/kit/${first!.token}`,
    states: async () => (await people.execute()).map(({ state }) => state),
  }
}
