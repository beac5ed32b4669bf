import { describe, expect, test } from 'vitest'
import { anonKey, functionPath, ownOrigin, type TestApp, testApp } from '#rigs/test-app.ts'

const hero = { form: 'hero', utm_source: 'newsletter' }

describe('a sign-up is counted', () => {
  test('by its form and by the source of the page', async () => {
    const app = await testApp()
    await call(app, { email: 'ada@example.com', ...hero })
    await call(app, { email: 'bob@example.com', form: 'closing' })
    await call(app, { email: 'cleo@example.com' })
    expect(await countsOf(app)).toEqual({
      'signed-up hero': 1,
      'signed-up closing': 1,
      'signed-up program': 1,
      'came-from newsletter': 1,
      'came-from none': 2,
    })
  })

  test('as rescued where the address is the one suggested; again, it is listed already', async () => {
    const app = await testApp()
    await call(app, { email: 'ada@example.com', ...hero, typo_rescued: true })
    await call(app, { email: 'ada@example.com', ...hero, typo_rescued: true })
    expect(await countsOf(app)).toEqual({
      'signed-up hero': 1,
      'came-from newsletter': 1,
      'typo-rescued': 1,
      'listed-already': 1,
    })
  })

  test('only where it is one: not what is no address, nor what a limit refuses', async () => {
    const app = await testApp({ config: { signUpsPerNetworkIn10Minutes: 1 } })
    await call(app, { email: 'no address', ...hero })
    await call(app, { email: 'ada@example.com', ...hero })
    await call(app, { email: 'bob@example.com', ...hero })
    expect(await countsOf(app)).toEqual({
      'signed-up hero': 1,
      'came-from newsletter': 1,
      'limit-hit network': 1,
    })
  })
})

test('what makes no sense beside the address fails no sign-up', async () => {
  const app = await testApp()
  const nonsense = { form: ['hero'], utm_source: { a: 1 }, typo_rescued: 'yes', more: null }
  const answer = await call(app, { email: 'ada@example.com', ...nonsense })
  expect(await answer.json()).toEqual({ success: true, alreadyExists: false })
  expect(await countsOf(app)).toEqual({ 'signed-up program': 1, 'came-from other': 1 })
})

test('a plain form is counted by its field, and by the address of the page it was on', async () => {
  const app = await testApp()
  const answer = await fetch(app.url + functionPath, {
    method: 'POST',
    headers: { referer: `${ownOrigin}/?utm_source=newsletter` },
    body: new URLSearchParams({ email: 'ada@example.com', form: 'closing' }),
  })
  expect(answer.status).toBe(200)
  expect(await countsOf(app)).toEqual({ 'signed-up closing': 1, 'came-from newsletter': 1 })
})

test('a plain form keeps its source while its address is corrected, once and again', async () => {
  const app = await testApp()
  let page = await postForm(app, { email: 'ada@example' }, `${ownOrigin}/?utm_source=Partner`)
  for (const email of ['ada@', 'ada@example.com']) {
    const source = /source=(\S*)/.exec(page)?.[1] ?? ''
    page = await postForm(app, { email, utm_source: source }, ownOrigin + functionPath)
  }
  expect(page).toContain('result-sent')
  expect(await countsOf(app)).toEqual({ 'signed-up program': 1, 'came-from partner': 1 })
})

test('only the checked form of a source is given back', async () => {
  const app = await testApp()
  const forged = { email: 'ada@example', utm_source: '"><script>' }
  expect(await postForm(app, forged, `${ownOrigin}/`)).toContain('source=other')
})

async function postForm(app: TestApp, fields: Record<string, string>, referer: string): Promise<string> {
  const body = new URLSearchParams(fields)
  const answer = await fetch(app.url + functionPath, { method: 'POST', headers: { referer }, body })
  return answer.text()
}

function call(app: TestApp, body: Record<string, unknown>): Promise<Response> {
  const headers = { 'content-type': 'application/json', apikey: anonKey }
  return fetch(app.url + functionPath, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Without the mails, which go out when they do. */
async function countsOf(app: TestApp): Promise<Record<string, number>> {
  const { delivered: _, ...counts } = await app.countsAtStop()
  return counts
}
