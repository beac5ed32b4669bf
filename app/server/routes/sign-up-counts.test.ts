import { describe, expect, test } from 'vitest'
import { deliveryStates } from '#rigs/server/rows.ts'
import { functionPath, ownOrigin, testApp } from '#rigs/server/test-app.ts'

describe('what a sign-up counts', () => {
  const hero = 'form=hero&campaign=Forum&suggestion=accepted'
  const onPage = { referer: `${ownOrigin}/?utm_source=letter` }
  interface Attributed {
    what: string
    /** The fields of a plain form. Missing: a program calls. */
    fields?: string
    headers?: Record<string, string>
    counts: Record<string, number>
  }

  test.each<Attributed>([
    { what: 'a program', counts: { 'signed-up program': 1, 'came-from none': 1 } },
    {
      what: 'the page',
      headers: { 'x-attribution': hero },
      counts: { 'signed-up hero': 1, 'came-from forum': 1, 'suggestion-accepted': 1 },
    },
    {
      what: 'a forgery',
      headers: { 'x-attribution': 'form=x&campaign=a@b.co' },
      counts: { 'signed-up program': 1, 'came-from other': 1 },
    },
    {
      what: 'a plain form',
      fields: '&form=closing&campaign=forum',
      counts: { 'signed-up closing': 1, 'came-from forum': 1 },
    },
    {
      what: 'a form without a campaign',
      fields: '&form=hero',
      counts: { 'signed-up hero': 1, 'came-from none': 1 },
    },
    {
      what: 'a form on a page with a campaign',
      fields: '&form=hero',
      headers: onPage,
      counts: { 'signed-up hero': 1, 'came-from letter': 1 },
    },
  ])('by $what', async ({ fields, headers = {}, counts }) => {
    const app = await testApp()
    if (fields === undefined) await app.signUp('ada@example.com', headers)
    else await postForm(app.url, `email=ada%40example.com${fields}`, headers)
    await expect.poll(() => deliveryStates(app.database)).toEqual(['sent'])
    expect(await app.countsAtStop()).toEqual({ ...counts, delivered: 1 })
  })

  test('again, invalid or refused', async () => {
    const app = await testApp({ config: { signUpsPerNetworkIn10Minutes: 2 } })
    for (const email of ['ada@example.com', 'ada@example.com', 'bob@example.com', 'no address']) {
      await app.signUp(email)
    }
    await expect.poll(() => deliveryStates(app.database)).toEqual(['sent'])
    expect(await app.countsAtStop()).toMatchObject({
      'already-listed': 1,
      'limit-hit network': 1,
      'signed-up program': 1,
    })
  })
})

function postForm(url: string, body: string, headers: Record<string, string>): Promise<Response> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return fetch(url + functionPath, { method: 'POST', headers: { ...type, ...headers }, body })
}
