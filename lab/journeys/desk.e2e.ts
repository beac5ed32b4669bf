import type { Page } from 'playwright-core'
import PostalMime from 'postal-mime'
import { expect, test, vi } from 'vitest'
import { deskText } from '#content/desk.ts'
import { complaintsOf, startJourney } from './journey.ts'

const owner = 'owner@example.com'
const journey = startJourney({ OWNER_EMAIL: owner })

/** The newest code that was mailed after `before` others. */
async function mailedCode(before: number): Promise<string> {
  const codes = async () => {
    const mails = journey.inbox.mails.filter(({ to }) => to.includes(owner))
    const texts = await Promise.all(mails.map(async ({ raw }) => (await PostalMime.parse(raw)).text ?? ''))
    return texts.flatMap((text) => /\b\d{4} \d{4}\b/.exec(text)?.[0] ?? [])
  }
  return vi.waitFor(async () => {
    const code = (await codes())[before]
    if (code === undefined) throw new Error('No code was mailed')
    return code
  })
}

let codes = 0

async function signIn(page: Page): Promise<void> {
  await page.goto('/desk')
  await page.getByRole('button', { name: 'Send me a code' }).click()
  const field = page.locator('input[autocomplete=one-time-code]')
  await field.fill(await mailedCode(codes++))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Today' }).waitFor()
}

test('the owner signs in by a mailed code, a wrong one says how many tries are left, and signs out', async () => {
  const page = await journey.open()
  const complaints = complaintsOf(page)
  await page.goto('/desk/people')
  await page.getByRole('button', { name: 'Send me a code' }).click()
  const field = page.locator('input[autocomplete=one-time-code]')
  const code = await mailedCode(codes++)
  await field.fill(code === '0000 0000' ? '1111 1111' : '00000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText(deskText.signIn.wrong(4)).waitFor()
  await field.fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'You' }).click()
  await page.getByRole('heading', { name: owner }).waitFor()
  await page.getByRole('button', { name: deskText.you.signOut, exact: true }).click()
  await page.getByRole('button', { name: 'Send me a code' }).waitFor()
  expect(complaints.filter((text) => !text.includes('Failed to load resource'))).toEqual([])
})

test('the desk loads no script of the landing page, and the landing page nothing of the desk', async () => {
  const page = await journey.open()
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  await page.goto('/desk')
  await page.getByRole('button', { name: 'Send me a code' }).waitFor()
  expect(paths.filter((path) => !path.startsWith('/desk')).every((path) => /woff2|favicon/.test(path))).toBe(
    true,
  )
  paths.length = 0
  await page.goto('/')
  await page.dispatchEvent('body', 'pointerdown')
  await page.locator('#app[data-hydrated]').waitFor()
  expect(paths.filter((path) => path.startsWith('/desk'))).toEqual([])
})

test('Today says that all is well, and arrow keys read the plot day by day', async () => {
  const page = await journey.open()
  await signIn(page)
  await page.getByRole('heading', { name: deskText.today.well }).waitFor()
  const slider = page.getByRole('slider')
  await slider.press('ArrowLeft')
  expect(await slider.getAttribute('aria-valuetext')).toMatch(/^\d+ \w+: \d+ sign-ups?$/)
})
