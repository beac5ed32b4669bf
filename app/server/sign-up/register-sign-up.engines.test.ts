import { describe, expect, test } from 'vitest'
import { accepted, permanent } from '#rigs/mail/programmable-mailer.ts'
import { countRows, deliveryStates, subscriberStates } from '#rigs/server/rows.ts'
import { act, linkOf, ownOrigin, type TestApp, testApp } from '#rigs/server/test-app.ts'
import type { Config } from '../settings/config.ts'
import { dayMs } from '../database/clock.ts'

describe('somebody who', () => {
  test('unsubscribed signs up again as new, with a mail', async () => {
    const app = await sentTo('ada@example.com')
    await act(app, 'ada@example.com', 'unsubscribe')
    await expectNewSignUp(app, 'Ada@example.com')
  })

  test('could not be reached signs up again as new, with a mail', async () => {
    const app = await testApp()
    app.mailer.answer(() => permanent)
    await app.signUp('ada@example.com')
    await expect
      .poll(() => subscriberStates(app.database))
      .toEqual({ 'ada@example.com': 'undeliverable' })
    app.mailer.answer(() => accepted)
    await expectNewSignUp(app, 'Ada@example.com')
  })

  test('was erased signs up again as new, with another link', async () => {
    const app = await sentTo('ada@example.com')
    const link = await linkOf(app, 'ada@example.com')
    await act(app, 'ada@example.com', 'erase')
    expect(await (await app.signUp('ada@example.com')).json()).toMatchObject({
      alreadyExists: false,
    })
    await expect.poll(() => app.mailer.attempts).toHaveLength(2)
    expect(await linkOf(app, 'ada@example.com')).not.toBe(link)
  })

  test('blocked the inbox is answered as on the list, under each address of it, and gets no mail', async () => {
    const app = await sentTo('ada@gmail.com')
    await act(app, 'ada@gmail.com', 'block')
    app.clock.advance(dayMs)
    for (const email of ['ada@gmail.com', 'a.da+new@gmail.com']) {
      const answer = await (await app.signUp(email)).json()
      expect(answer).toMatchObject({ alreadyExists: true, resentAt: null, receipt: null })
      expect(Date.parse(answer.nextResendAt)).toBeGreaterThan(app.clock.now())
    }
    expect(await countRows(app.database)).toEqual({ subscribers: 1, deliveries: 1 })
    expect(app.mailer.attempts).toHaveLength(1)
  })

  test('signs up again while the mail is under way gets no second one', async () => {
    const app = await testApp({ config: { resendAfterSeconds: 60 } })
    const sending = app.mailer.hold()
    await app.signUp('ada@example.com')
    await expect.poll(() => app.mailer.attempts).toHaveLength(1)
    app.clock.advance(61_000)
    expect(await (await app.signUp('ada@example.com')).json()).toMatchObject({
      alreadyExists: true,
      resentAt: null,
      nextResendAt: new Date(app.clock.now() + 60_000).toISOString(),
    })
    sending({ kind: 'accepted' })
    await expect.poll(() => deliveryStates(app.database)).toEqual(['sent'])
  })
})

describe('with HIDE_ALREADY_EXISTS', () => {
  const kinds = [
    'unknown@uni.edu',
    'known@uni.edu',
    'left@uni.edu',
    'blocked@uni.edu',
    'limited@uni.edu',
    'ada+1@uni.edu',
  ]

  async function appWithEachKind() {
    const app = await testApp({ config: { hideAlreadyExists: true, mailsPerAddressADay: 2 } })
    const before = ['known', 'left', 'blocked', 'limited+1', 'limited+2', 'ada+1', 'ada+2']
    await statuses(
      app,
      before.map((name) => `${name}@uni.edu`),
    )
    await act(app, 'left@uni.edu', 'unsubscribe')
    await act(app, 'blocked@uni.edu', 'block')
    return app
  }

  test('every kind of address gets the same answer and the same page', async () => {
    const app = await appWithEachKind()
    const seen = new Set<string>()
    for (const email of kinds) {
      const answer = await app.signUp(email)
      seen.add(`${answer.status} ${await answer.text()}`)
    }
    expect(seen.size).toBe(1)
    expect(JSON.parse([...seen][0]!.slice('200 '.length))).toEqual({
      success: true,
      alreadyExists: false,
      resentAt: null,
      nextResendAt: null,
      receipt: null,
    })
    const pages = new Set<string>()
    for (const email of kinds) {
      const payload = new URLSearchParams({ email }).toString()
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        origin: ownOrigin,
        host: 'bot.example',
      }
      const url = '/functions/v1/send-starter-bot-email'
      const { statusCode, body } = await app.inject({ method: 'POST', url, headers, payload })
      pages.add(`${statusCode} ${body.replace(email, 'ADDRESS')}`)
    }
    expect([...pages]).toEqual([expect.stringContaining('<h1>result-sent</h1> ADDRESS')])
  })

  test('an address above its ceiling gets no mail, and a busy network is still refused', async () => {
    const app = await testApp({
      config: { hideAlreadyExists: true, mailsPerAddressADay: 1, signUpsPerNetworkIn10Minutes: 2 },
    })
    expect(await statuses(app, ['ada+1@uni.edu', 'ada+2@uni.edu', 'ada+3@uni.edu'])).toEqual([
      200, 200, 429,
    ])
    expect(await countRows(app.database)).toEqual({ subscribers: 1, deliveries: 1 })
  })
})

/** The address of the new sign-up replaces the former one. */
async function expectNewSignUp(app: TestApp, email: string) {
  expect(await (await app.signUp(email)).json()).toMatchObject({ alreadyExists: false })
  await expect.poll(() => app.mailer.addresses()).toEqual(['ada@example.com', email])
  expect(await subscriberStates(app.database)).toEqual({ [email]: 'active' })
}

async function statuses(app: TestApp, emails: readonly string[]): Promise<number[]> {
  const all: number[] = []
  for (const email of emails) all.push((await app.signUp(email)).status)
  return all
}

async function sentTo(email: string, config: Partial<Config> = {}) {
  const app = await testApp({ config })
  await app.signUp(email)
  await expect.poll(() => deliveryStates(app.database)).toEqual(['sent'])
  return app
}
