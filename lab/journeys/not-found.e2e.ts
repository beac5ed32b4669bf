import { expect, test } from 'vitest'
import { signUp } from '#content/pages/sign-up.ts'
import { hydrate, startJourney } from './journey.ts'

const journey = startJourney()

test('an unknown address gets status 404, the texts of the page, the toast area, and the path with its query in the console', async () => {
  const path = '/index.php?x=1'
  const page = await journey.open()
  const printed: string[] = []
  page.on('console', (message) => printed.push(message.text()))
  const answer = await page.goto(path)
  expect(answer?.status()).toBe(404)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('404')
  expect(await page.getByRole('main').textContent()).toContain('Oops! Page not found')
  expect(await page.getByRole('region', { name: signUp.toasts.region }).count()).toBe(1)
  await hydrate(page)
  await expect.poll(() => printed.join('\n')).toContain(path)
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await page.waitForURL('/')
})
