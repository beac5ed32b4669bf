import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { heroForm, newAddress, signUp, startJourney } from './journey.ts'

const journey = startJourney()
const functionPath = '**/functions/v1/send-starter-bot-email'

test('the page works with the keyboard alone: skip link, field, button, message, toast', async () => {
  const page = await journey.visit('/')
  const focused = () =>
    page.evaluate(() => {
      const { activeElement } = document
      const outline = activeElement && getComputedStyle(activeElement)
      return {
        name: activeElement?.getAttribute('name') ?? activeElement?.textContent?.trim(),
        ring: `${outline?.outlineStyle} ${outline?.outlineWidth}`,
      }
    })
  await page.keyboard.press('Tab')
  expect((await focused()).name).toMatch(/skip|form/i)
  await page.keyboard.press('Enter')
  while ((await focused()).name !== 'email') await page.keyboard.press('Tab')
  expect((await focused()).ring).toBe('solid 3px')
  await page.keyboard.press('Enter')
  await heroForm(page).form.getByText('Please enter a valid email address').waitFor()
  expect((await focused()).name).toBe('email')
  const address = newAddress()
  await page.keyboard.type(address)
  await page.keyboard.press('Tab')
  expect(await focused()).toEqual({ name: 'Download Now for Free', ring: 'solid 3px' })
  await page.keyboard.press('Space')
  await page.getByText('Success! Check your email').waitFor()
  await journey.inbox.arrival(1, address)
})

test('live regions are in the page before their first message, and an error stays until it is dismissed', async () => {
  const page = await journey.visit('/', { isNew: true })
  const region = page.locator('section.toasts')
  expect(await exposedLiveRegions(page)).toEqual(
    expect.arrayContaining(['status polite', 'alert assertive']),
  )
  await page.route(functionPath, (route) => route.abort())
  await page.clock.install()
  await signUp(heroForm(page), newAddress())
  const toast = page.getByText('Network error occurred.')
  await toast.waitFor()
  await page.clock.fastForward(60_000)
  expect(await toast.isVisible()).toBe(true)
  await region.getByRole('button').click()
  await page.clock.fastForward(1000)
  await toast.waitFor({ state: 'detached' })
})

/**
 * Role and urgency, as the browser exposes them to a screen reader; a selector would also find a
 * region that is not exposed.
 */
async function exposedLiveRegions(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  return nodes.flatMap(({ ignored, role, properties = [] }) => {
    const live = properties.find(({ name }) => name === 'live')?.value.value
    return ignored || live === undefined ? [] : [`${role?.value} ${live}`]
  })
}
