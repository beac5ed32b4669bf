import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { starterEmail } from '#content/mail/starter-email.ts'
import { whatChanged } from '#content/pages/what-changed.ts'
import { startJourney } from './journey.ts'

const journey = startJourney()
const { label } = whatChanged.announcements

test('the mail points to the switch; it is off, turns on and off without JavaScript, and says so', async () => {
  const { text, kit } = await journey.signUpByPost()
  expect(text).toContain(starterEmail.announcements)
  const page = await journey.visit(kit, {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  })
  const switchButton = page.getByRole('switch', { name: label })
  expect(await stateOf(page)).toBe('false')
  expect(await switchButton.boundingBox()).toMatchObject({ height: 44 })
  await Promise.all([page.waitForURL(`${kit}/announcements#what-changed`), switchButton.click()])
  expect(await stateOf(page)).toBe('true')
  expect(await page.getByText('On since').isVisible()).toBe(true)
  await page.goto(kit)
  expect(await stateOf(page)).toBe('true')
  await switchButton.click()
  await page.locator('[role=switch][aria-checked=false]').waitFor()
})

function stateOf(page: Page) {
  return page.getByRole('switch', { name: label }).getAttribute('aria-checked')
}
