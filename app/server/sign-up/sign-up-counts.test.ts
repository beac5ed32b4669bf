import { describe, expect, test } from 'vitest'
import { attributionHeader } from '#contract/sign-up.ts'
import { anonKey, functionPath, ownOrigin, type TestApp, testApp } from '#rigs/server/test-app.ts'

const hero = 'form=hero&campaign=newsletter'

describe('a sign-up', () => {
  test('is counted by its form and by the campaign of the page', async () => {
    const app = await testApp()
    await call(app, 'ada@example.com', hero)
    await call(app, 'bob@example.com', 'form=closing')
    await call(app, 'cleo@example.com')
    expect(await countsOf(app)).toEqual({
      'signed-up hero': 1,
      'signed-up closing': 1,
      'signed-up program': 1,
      'came-from newsletter': 1,
      'came-from none': 2,
    })
  })

  test('with the suggested address counts as a rescued typo, a repeated sign-up as already on the list', async () => {
    const app = await testApp()
    await call(app, 'ada@example.com', `${hero}&suggestion=accepted`)
    await call(app, 'ada@example.com', `${hero}&suggestion=accepted`)
    expect(await countsOf(app)).toEqual({
      'signed-up hero': 1,
      'came-from newsletter': 1,
      'typo-rescued': 1,
      'listed-already': 1,
    })
  })

  test('is not counted if the address is invalid or a limit refuses it', async () => {
    const app = await testApp({ config: { signUpsPerNetworkIn10Minutes: 1 } })
    await call(app, 'no address', hero)
    await call(app, 'ada@example.com', hero)
    await call(app, 'bob@example.com', hero)
    expect(await countsOf(app)).toEqual({
      'signed-up hero': 1,
      'came-from newsletter': 1,
      'limit-hit network': 1,
    })
  })
})

test('a malformed attribution fails no sign-up', async () => {
  const app = await testApp()
  const answer = await call(app, 'ada@example.com', 'form=%5B%22hero%22%5D&campaign=%00&suggestion=yes&more')
  expect(await answer.json()).toMatchObject({ success: true, alreadyExists: false })
  expect(await countsOf(app)).toEqual({ 'signed-up program': 1, 'came-from other': 1 })
})

test('further keys of the body are tolerated and ignored', async () => {
  const app = await testApp()
  const attribution = {
    form: 'hero',
    campaign: 'newsletter',
    utm_source: 'newsletter',
    suggestion: 'accepted',
  }
  const body = JSON.stringify({ email: 'ada@example.com', ...attribution, more: [null], constructor: 1 })
  const headers = { 'content-type': 'application/json', apikey: anonKey }
  const answer = await fetch(app.url + functionPath, { method: 'POST', headers, body })
  expect(await answer.json()).toMatchObject({ success: true, alreadyExists: false })
  expect(await countsOf(app)).toEqual({ 'signed-up program': 1, 'came-from none': 1 })
})

test('a plain form is counted by its own field and by the address of its page', async () => {
  const app = await testApp()
  const answer = await fetch(app.url + functionPath, {
    method: 'POST',
    headers: { referer: `${ownOrigin}/?utm_source=newsletter` },
    body: new URLSearchParams({ email: 'ada@example.com', form: 'closing' }),
  })
  expect(answer.status).toBe(200)
  expect(await countsOf(app)).toEqual({ 'signed-up closing': 1, 'came-from newsletter': 1 })
})

test('a plain form keeps its campaign while the visitor corrects the address twice', async () => {
  const app = await testApp()
  let page = await postForm(app, { email: 'ada@example' }, `${ownOrigin}/?utm_source=Partner`)
  for (const email of ['ada@', 'ada@example.com']) {
    const campaign = /campaign=(\S*)/.exec(page)?.[1] ?? ''
    page = await postForm(app, { email, campaign }, ownOrigin + functionPath)
  }
  expect(page).toContain('result-sent')
  expect(await countsOf(app)).toEqual({ 'signed-up program': 1, 'came-from partner': 1 })
})

test('the page of an invalid address repeats only a valid campaign', async () => {
  const app = await testApp()
  const forged = { email: 'ada@example', campaign: '"><script>' }
  expect(await postForm(app, forged, `${ownOrigin}/`)).toContain('campaign=other')
})

async function postForm(app: TestApp, fields: Record<string, string>, referer: string): Promise<string> {
  const body = new URLSearchParams(fields)
  const answer = await fetch(app.url + functionPath, { method: 'POST', headers: { referer }, body })
  return answer.text()
}

function call(app: TestApp, email: string, attribution?: string): Promise<Response> {
  return app.signUp(email, attribution === undefined ? {} : { [attributionHeader]: attribution })
}

/** Without `delivered`, which depends on timing. */
async function countsOf(app: TestApp): Promise<Record<string, number>> {
  const { delivered: _, ...counts } = await app.countsAtStop()
  return counts
}
