import { expect, test } from 'vitest'
import { heroForm, newAddress, signUp, startJourney } from './journey.ts'
import { noteOn, textOf } from './note-journey.ts'

const journey = startJourney()

test('the note says that the mail is on its way, and then without a reload when it was sent', async () => {
  const page = await journey.visit('/', { isNew: true })
  const address = newAddress()
  await page.clock.setFixedTime(Date.now())
  await signUp(heroForm(page), address)
  await noteOn(page).getByText('On its way').waitFor()
  expect(await textOf(page)).toContain(`The script and the guide are going to ${address}.`)
  await page.clock.setSystemTime(Date.now())
  await noteOn(page).getByText('Look for').waitFor()
  expect(await textOf(page)).toMatch(
    /^Sent \d\d:\d\d Look for “Your free bot: script and setup guide” from Starter Bot\. Not there\? Check your spam folder\./,
  )
  expect(await noteOn(page).locator('time').getAttribute('datetime')).toMatch(/^2\d{3}-.*Z$/)
  await journey.inbox.arrival(1, address)
})
