import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '#rigs/server/test-app.ts'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { whatChanged } from '#content/releases.ts'
import { readPendingScrubs } from '../subscribers/erase-subscribers.ts'
import { leaveTheList } from '../subscribers/leave-the-list.ts'
import { createLog } from '../log.ts'
import { runPendingScrubs } from '../maintenance.ts'
import { newToken } from '../subscribers/subscribers.ts'
import { announcementWording } from '../subscribers/wordings.ts'

const marker = 'marker-7f3a@example.com'

describe('the personal page', () => {
  test('shows kit and address, and may neither be cached nor indexed', async () => {
    const { app, link } = await appWithSubscriber()
    const answer = await fetch(link)
    expect(await answer.text()).toContain(`<h1>kit</h1> ${marker}`)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    expect((await fetch(`${link}/ema-crossover.pine`)).headers.get('x-robots-tag')).toBe('noindex')
    expect(app.log()).not.toContain(marker)
  })

  test('is sent compressed, since nothing may keep it, to a client that can read that', async () => {
    const { link } = await appWithSubscriber()
    const codingOf = async (coding: string) =>
      (await fetch(link, { headers: { 'accept-encoding': coding } })).headers.get('content-encoding')
    expect(await codingOf('gzip, deflate, br')).toBe('br')
    expect(await codingOf('gzip')).toBe('gzip')
    expect(await codingOf('identity')).toBeNull()
    expect(await (await fetch(link, { headers: { 'accept-encoding': 'br' } })).text()).toContain(marker)
  })

  test('does not change by GET or HEAD, nor does any address below it', async () => {
    const { app, link } = await appWithSubscriber()
    const before = await everything(app)
    for (const path of [
      '',
      '/ema-crossover.pine',
      '/unsubscribe',
      '/announcements',
      '/erase',
      '?x=unsubscribe',
      '/',
    ])
      for (const method of ['GET', 'HEAD'])
        for (let turn = 0; turn < 3; turn += 1) await fetch(link + path, { method })
    expect(await everything(app)).toEqual(before)
  })

  test('records its first opening only if KEEP_UNOPENED_DAYS is set', async () => {
    const { app, link } = await appWithSubscriber({ keepUnopenedDays: 30 })
    await fetch(`${link}/unsubscribe`)
    expect(await openedAt(app)).toBeNull()
    await fetch(link)
    await expect.poll(() => openedAt(app)).toBeGreaterThan(0)
  })

  test.each([
    ['unknown', newToken()],
    ['too short', 'short'],
    ['too long', 'a'.repeat(23)],
    ['of other characters', '%2e'.repeat(7) + 'a'],
    ['with a quote', `${'a'.repeat(21)}'`],
  ])('is not found for a token that is %s', async (_what, token) => {
    const { app } = await appWithSubscriber()
    for (const path of ['', '/', '/unsubscribe', '/erase', '/ema-crossover.pine'])
      for (const method of ['GET', 'POST']) {
        const answer = await fetch(`${app.url}/kit/${token}${path}`, { method })
        expect(answer.status).toBe(404)
      }
  })

  test('is not found for a token in the other case, or with more characters', async () => {
    const { link, token, app } = await appWithSubscriber()
    const swapped = token.replaceAll(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
    for (const other of [swapped, `${token}x`, `x${token}`, `${token.slice(0, -1)}_`, `${token}%20`])
      if (other !== token) expect((await fetch(`${app.url}/kit/${other}`)).status).toBe(404)
    expect((await fetch(`${link}/secret`)).status).toBe(404)
    expect((await fetch(`${link}/unsubscribe/more`, { method: 'POST' })).status).toBe(404)
    expect((await fetch(link, { method: 'POST' })).status).toBe(404)
  })
})

describe('the switch for mail about new versions', () => {
  test('is off at first; a POST turns it on and off, and the answer is the page itself', async () => {
    const { app, link } = await appWithSubscriber()
    expect(await (await fetch(link)).text()).toContain('what-changed-1.0.0-off')
    const on = await postSwitch(link, { announcements: 'on' })
    expect(on.status).toBe(200)
    expect(await on.text()).toContain(`what-changed-1.0.0-on`)
    expect(await consent(app)).toEqual({
      announcements_agreed_at: expect.any(Number),
      announcements_wording: announcementWording.hash,
      announcements_refused_at: null,
    })
    expect(await (await postSwitch(link, { announcements: 'off' })).text()).toContain('-off {')
    expect(await consent(app)).toEqual({
      announcements_agreed_at: null,
      announcements_wording: null,
      announcements_refused_at: expect.any(Number),
    })
  })

  test('stays as it is if the request is cut off', async () => {
    const { app, link } = await appWithSubscriber()
    await postSwitch(link, { announcements: 'on' })
    const before = await consent(app)
    const { hostname, port, pathname } = new URL(link)
    const client = connect(Number(port), hostname)
    client.end(
      `POST ${pathname}/announcements HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 16\r\n\r\nannou`,
    )
    await once(client.resume(), 'close')
    await sleep(100) // enough for it to be stored
    expect(await consent(app)).toEqual(before)
  })

  test('keeps the first time and the words of a consent that is repeated, and the words are stored', async () => {
    const { app, link } = await appWithSubscriber()
    await postSwitch(link, { announcements: 'on' })
    const first = await consent(app)
    app.clock.advance(60_000)
    await postSwitch(link, { announcements: 'on' })
    expect(await consent(app)).toEqual(first)
    const { content } = await app.database.query
      .selectFrom('wordings')
      .select('content')
      .where('hash', '=', announcementWording.hash)
      .executeTakeFirstOrThrow()
    expect(content).toContain(whatChanged.announcements.label)
  })

  test("is turned off by a mail program's one-click request, which leaves the subscription alone", async () => {
    const { app, link } = await appWithSubscriber()
    for (const turn of ['first', 'second']) {
      await postSwitch(link, { announcements: 'on' })
      const answer = await postSwitch(link, { 'List-Unsubscribe': 'One-Click' })
      expect(answer.status, turn).toBe(200)
      expect((await consent(app)).announcements_agreed_at).toBeNull()
      expect(await states(app)).toEqual(['active'])
    }
  })

  test.each(['unsubscribed', 'undeliverable'] as const)(
    'is off after leaving as %s and signing up again, and cannot be turned on in between',
    async (state) => {
      const { app, link } = await appWithSubscriber()
      await postSwitch(link, { announcements: 'on' })
      const [{ id } = { id: 0 }] = await app.database.query.selectFrom('subscribers').select('id').execute()
      await leaveTheList(app.database, id, state, app.clock.now())
      expect(await (await postSwitch(link, { announcements: 'on' })).text()).toContain('-left {')
      await app.signUp(marker)
      expect((await consent(app)).announcements_agreed_at).toBeNull()
      expect(await (await fetch(link)).text()).toContain('-off {')
    },
  )

  test('does not count as a visit, and no foreign page can turn it', async () => {
    const { app, link } = await appWithSubscriber()
    const origin = 'https://elsewhere.example'
    const body = new URLSearchParams({ announcements: 'on' })
    expect((await fetch(`${link}/announcements`, { method: 'POST', body, headers: { origin } })).status).toBe(
      403,
    )
    expect((await consent(app)).announcements_agreed_at).toBeNull()
    await postSwitch(link, { announcements: 'on' })
    expect(Object.keys(await app.countsAtStop()).filter((name) => name.includes('opened'))).toEqual([])
  })
})

describe('unsubscribing', () => {
  test('also applies to an undeliverable subscriber, so that no retry of the owner puts them back', async () => {
    const { app, link } = await appWithSubscriber()
    await app.database.query.updateTable('subscribers').set({ state: 'undeliverable' }).execute()
    await fetch(`${link}/unsubscribe`, { method: 'POST' })
    expect(await states(app)).toEqual(['unsubscribed'])
  })

  test('accepts a POST of the page or of a mail program, any number of times, without a redirect', async () => {
    const { app, link } = await appWithSubscriber()
    const oneClick = { body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }
    for (const body of [oneClick, {}, oneClick]) {
      const answer = await fetch(`${link}/unsubscribe`, { method: 'POST', redirect: 'manual', ...body })
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('<h1>unsubscribed</h1>')
      expect(await states(app)).toEqual(['unsubscribed'])
    }
  })

  test('cancels queued mail; a later sign-up counts as new and has the same link', async () => {
    const { app, link } = await appWithSubscriber()
    await app.database.query.updateTable('deliveries').set({ state: 'queued', due_at: 9e15 }).execute()
    await fetch(`${link}/unsubscribe`, { method: 'POST' })
    const { state } = await app.database.query
      .selectFrom('deliveries')
      .select('state')
      .executeTakeFirstOrThrow()
    expect(state).toBe('cancelled')
    expect(await (await app.signUp(marker)).json()).toMatchObject({ alreadyExists: false })
    expect((await fetch(link)).status).toBe(200)
  })
})

describe('erasing', () => {
  test('removes the link and keeps the count; the address can sign up again', async () => {
    const { app, link } = await appWithSubscriber()
    const erased = await fetch(`${link}/erase`, { method: 'POST' })
    expect(await erased.text()).toContain('<h1>erased</h1>')
    expect((await fetch(link)).status).toBe(404)
    expect(await states(app)).toEqual([])
    const { query } = app.database
    const count = await query.selectFrom('settings').select('value').where('name', '=', 'erased').execute()
    expect(count).toEqual([{ value: '1' }])
    expect(await (await app.signUp(marker)).json()).toMatchObject({ alreadyExists: false })
  })

  test.skipIf(testsRunOnPostgres)('leaves no trace in any file of the database', async () => {
    const { app, link, token } = await appWithSubscriber()
    expect(bytesOf(app)).toContain(marker)
    expect(bytesOf(app)).toContain(token)
    const answer = await fetch(`${link}/erase`, { method: 'POST' })
    expect(await answer.text()).toContain('<h1>erased</h1>')
    expect(bytesOf(app)).not.toContain(marker)
    expect(bytesOf(app)).not.toContain('marker-7f3a')
    expect(bytesOf(app)).not.toContain(token)
  })

  test.skipIf(testsRunOnPostgres)(
    'while another process reads the database, says that traces are left, blocks nobody, and is finished later',
    async () => {
      const { app, link } = await appWithSubscriber()
      const reader = new DatabaseSync(app.databaseFile ?? '')
      reader.exec('begin; select * from subscribers')
      const delay = monitorEventLoopDelay({ resolution: 1 })
      delay.enable()
      const answer = await fetch(`${link}/erase`, { method: 'POST' })
      delay.disable()
      expect(await answer.text()).toContain('<h1>erased-with-traces</h1>')
      expect(delay.max / 1e6).toBeLessThan(1_000)
      expect(bytesOf(app)).toContain(marker)
      await maintain(app)
      expect(await readPendingScrubs(app.database.query)).toHaveLength(1)
      reader.close()
      await maintainUntilSettled(app)
      expect(bytesOf(app)).not.toContain(marker)
      expect(await readPendingScrubs(app.database.query)).toEqual([])
    },
  )

  test.skipIf(testsRunOnPostgres)('is not confirmed before the rows are gone', async () => {
    const { app, link } = await appWithSubscriber()
    const writer = new DatabaseSync(app.databaseFile ?? '')
    writer.exec('begin immediate')
    let isAnswered = false
    const answer = fetch(`${link}/erase`, { method: 'POST' }).finally(() => (isAnswered = true))
    for (let turn = 0; turn < 20; turn += 1) expect((await fetch(link)).status).toBe(200)
    expect(isAnswered).toBe(false)
    writer.exec('commit')
    writer.close()
    expect(await (await answer).text()).toContain('<h1>erased</h1>')
    expect((await fetch(link)).status).toBe(404)
  })

  test.skipIf(testsRunOnPostgres)('leaves none of many, while others sign up', async () => {
    const app = await testApp({ config: { siteMailsPerHour: Infinity } })
    const name = (index: number) => `n${(index * 7919) % 1000}x${index}-gone-trace@example.com`
    await Promise.all(Array.from({ length: 600 }, (_, index) => app.signUp(name(index))))
    await expect.poll(() => app.mailer.attempts).toHaveLength(600)
    const people = await app.database.query.selectFrom('subscribers').select('token').execute()
    let others = 0
    const erasures = people.map(async ({ token }) => {
      const signingUp = app.signUp(`stays-${(others += 1)}@example.com`)
      const answer = await fetch(`${app.url}/kit/${token}/erase`, { method: 'POST' })
      expect(answer.status).toBe(200)
      expect((await signingUp).status).toBe(200)
    })
    await Promise.all(erasures)
    await maintainUntilSettled(app)
    expect(bytesOf(app)).not.toContain('gone-trace')
  })
})

function maintain({ database }: TestApp): Promise<void> {
  return runPendingScrubs({ database, log: createLog('error', 'key', () => {}), now: Date.now })
}

/** Repeats what maintenance does every ten minutes until no scrub is pending: a scrub waits while another process reads the file. */
function maintainUntilSettled(app: TestApp): Promise<void> {
  return vi.waitFor(
    async () => {
      await maintain(app)
      expect(await readPendingScrubs(app.database.query)).toEqual([])
    },
    { timeout: 30_000 },
  )
}

async function appWithSubscriber(config: Partial<import('../configuration/config.ts').Config> = {}) {
  const app = await testApp({ config })
  await app.signUp(marker)
  await expect.poll(() => deliveryStates(app)).toEqual(['sent'])
  const [{ token } = { token: null }] = await app.database.query
    .selectFrom('subscribers')
    .select('token')
    .execute()
  if (token === null) throw new Error('A mail without a link')
  return { app, token, link: `${app.url}/kit/${token}` }
}

function postSwitch(link: string, form: Record<string, string>) {
  const body = new URLSearchParams(form)
  return fetch(`${link}/announcements`, { method: 'POST', redirect: 'manual', body })
}

async function consent({ database: { query } }: TestApp) {
  return query
    .selectFrom('subscribers')
    .select(['announcements_agreed_at', 'announcements_wording', 'announcements_refused_at'])
    .executeTakeFirstOrThrow()
}

async function deliveryStates({ database: { query } }: TestApp) {
  return (await query.selectFrom('deliveries').select('state').execute()).map(({ state }) => state)
}

async function states({ database: { query } }: TestApp) {
  return (await query.selectFrom('subscribers').select('state').execute()).map(({ state }) => state)
}

async function openedAt({ database: { query } }: TestApp) {
  return (await query.selectFrom('subscribers').select('opened_at').executeTakeFirstOrThrow()).opened_at
}

async function everything({ database: { query } }: TestApp) {
  return {
    subscribers: await query.selectFrom('subscribers').selectAll().execute(),
    deliveries: await query.selectFrom('deliveries').selectAll().execute(),
    // The worker may still write the other columns, when it finds that no more mail is due.
    windows: await query.selectFrom('limit_windows').select(['name', 'used']).execute(),
    settings: await query.selectFrom('settings').selectAll().execute(),
  }
}

/** The bytes of the database and of the files beside it (-wal, -shm). */
function bytesOf({ databaseFile = '' }: TestApp): string {
  const folder = dirname(databaseFile)
  const names = readdirSync(folder)
  return names.map((name) => readFileSync(join(folder, name)).toString('latin1')).join('\n')
}
