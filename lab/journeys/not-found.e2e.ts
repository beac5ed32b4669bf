import { expect, test } from 'vitest'
import { hydrate, startJourney } from './journey.ts'

const journey = startJourney()

test.each([
  '/nowhere',
  '/kit',
  '/kit/AAAAAAAAAAAAAAAAAAAAAA',
  '/kit/short',
  '/index.php?x=1',
  '/a/b%20c',
])('%s gets status 404, the texts of the page, and the path in the console', async (path) => {
  const page = await journey.open()
  const printed: string[] = []
  page.on('console', (message) => printed.push(message.text()))
  const answer = await page.goto(path)
  expect(answer?.status()).toBe(404)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('404')
  expect(await page.getByRole('main').textContent()).toContain('Oops! Page not found')
  await hydrate(page)
  const pathAlone = path.split('?')[0] ?? ''
  await expect.poll(() => printed.join('\n')).toContain(pathAlone)
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await page.waitForURL('/')
})
