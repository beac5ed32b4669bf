import type { Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { signUpPath } from '#contract/sign-up.ts'
import { bottomForm, heroForm, newAddress, signUp, startJourney } from './journey.ts'

const journey = startJourney({ RESEND_AFTER_SECONDS: '1' })

/** Runs `act`, which sends a sign-up, and returns its request. */
async function requestAfter(page: Page, act: () => Promise<unknown>): Promise<Request> {
  const [request] = await Promise.all([page.waitForRequest(`**${signUpPath}`), act()])
  return request
}

/** The bytes of the body as the browser sent them, and the attribution. */
async function sentAfter(page: Page, act: () => Promise<unknown>) {
  const request = await requestAfter(page, act)
  return { body: request.postData(), attribution: await request.headerValue('x-attribution') }
}

test.each([
  ['hero', heroForm],
  ['closing', bottomForm],
] as const)(
  'the %s form sends the address alone, and its attribution in the header',
  async (name, formOf) => {
    const page = await journey.visit('/?utm_source=newsletter')
    const address = newAddress()
    expect(await sentAfter(page, () => signUp(formOf(page), `  ${address} `))).toEqual({
      body: `{"email":"${address}"}`,
      attribution: `form=${name}&campaign=newsletter`,
    })
  },
)

test('"send it again" sends the address alone', async () => {
  const page = await journey.visit('/')
  const address = newAddress()
  await signUp(heroForm(page), address)
  const again = heroForm(page).form.getByRole('button', { name: 'send it again' })
  await again.waitFor()
  expect(await sentAfter(page, () => again.click())).toEqual({
    body: `{"email":"${address}"}`,
    attribution: 'form=hero',
  })
})
