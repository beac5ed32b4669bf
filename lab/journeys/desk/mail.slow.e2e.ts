import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { deskOf, watchCalls } from './desk-journey.ts'
import { startJourney } from '../journey.ts'

const journey = startJourney()
const desk = deskOf(journey)

test('a failed mail is listed with its reason', async () => {
  const page = await openFailedMail('full.box@example.com')
  await page.getByRole('button', { name: 'Retry: full.box@example.com' }).waitFor()
  await page.getByText('The mailbox takes no mail.').waitFor()
})

test('a double click retries a failed mail once', async () => {
  const address = 'full.again@example.com'
  const page = await openFailedMail(address)
  journey.inbox.behave({ does: 'accept' })
  const calls = watchCalls(page)
  await page.getByRole('button', { name: `Retry: ${address}` }).dblclick()
  await journey.inbox.arrival(1, address)
  expect(calls.names.filter((name) => name === 'mail.retry')).toHaveLength(1)
})

async function openFailedMail(address: string): Promise<Page> {
  const disabled = { does: 'answer', code: 550, to: 'recipient', words: '5.2.1 Disabled' } as const
  journey.inbox.behave((recipient) => (recipient === address ? disabled : { does: 'accept' }))
  await desk.signUp(address)
  const page = await desk.openDesk()
  await expect
    .poll(async () => {
      await page.goto('/desk/mail')
      await page
        .getByText(/^Failed/)
        .first()
        .click()
      await page.getByRole('heading', { name: 'failed' }).waitFor()
      return page.getByRole('link', { name: address, exact: true }).count()
    })
    .toBe(1)
  return page
}

test('a letter is shown as it arrives while it is written', async () => {
  const page = await desk.openLetter()
  await page.getByRole('textbox', { name: 'Text' }).fill('It is **here**. <script>')
  const mail = page.frameLocator('iframe')
  await mail.locator('strong', { hasText: 'here' }).waitFor()
  await mail.getByRole('paragraph').filter({ hasText: '<script>' }).waitFor()
})
