import { expect, test } from 'vitest'
import { signUpPath } from '#contract/sign-up.ts'
import { heroForm, newAddress, signUp, startJourney } from './journey.ts'

const journey = startJourney({ RESEND_AFTER_SECONDS: '1' })

test('"send it again" sends the address alone, and its attribution in the header', async () => {
  const page = await journey.visit('/?utm_source=newsletter')
  const address = newAddress()
  await signUp(heroForm(page), address)
  const again = heroForm(page).form.getByRole('button', { name: 'send it again' })
  await again.waitFor()
  const [request] = await Promise.all([page.waitForRequest(`**${signUpPath}`), again.click()])
  expect(request.postData()).toBe(`{"email":"${address}"}`)
  expect(await request.headerValue('x-attribution')).toBe('form=hero&campaign=newsletter')
  await journey.inbox.arrival(2, address)
})
