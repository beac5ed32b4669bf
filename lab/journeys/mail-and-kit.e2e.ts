import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { resultPages } from '#content/pages/result-pages.ts'
import { starterEmail } from '#content/mail/starter-email.ts'
import { newAddress, startJourney } from './journey.ts'

const journey = startJourney()
const developmentKey = 'starter-bot-development-key'

/** Signs up as any program may, and reads the mail that comes. */
async function mailFor(address: string) {
  const { url } = journey.product
  const answer = await createClient(url, developmentKey).functions.invoke(
    'send-starter-bot-email',
    {
      body: { email: address },
    },
  )
  expect(answer).toMatchObject({ data: { success: true, alreadyExists: false }, error: null })
  const [received] = await journey.inbox.arrival(1, address)
  if (!received) throw new Error('No mail')
  const mail = await PostalMime.parse(received.raw)
  const links = [...(mail.html ?? '').matchAll(/href="([^"]+)"/g)].map(([, link]) => link ?? '')
  const kit = links.find((link) => /\/kit\/[\w-]{22}$/.test(link)) ?? ''
  return { mail, links, kit, raw: received.raw.toString() }
}

test('the mail holds both links, the steps, the risk line and the headers of a decent bulk mail', async () => {
  const address = newAddress()
  const { mail, links, kit, raw } = await mailFor(address)
  expect(mail.subject).toBe(starterEmail.subject)
  expect(mail.attachments).toEqual([])
  expect(links).toEqual(
    expect.arrayContaining([
      `${kit}/ema-crossover.pine`,
      `${kit}/setup-guide.pdf`,
      `${kit}/unsubscribe`,
    ]),
  )
  expect(kit.startsWith(journey.product.url)).toBe(true)
  for (const part of [mail.html, mail.text]) {
    expect(part).toContain(address)
    expect(part).toContain(starterEmail.steps.at(-1))
    expect(part).toContain(starterEmail.risk)
    expect(part).not.toMatch(/\{\{|undefined/)
  }
  expect(raw).toContain(`<${kit}/unsubscribe>`)
  expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r?$/m)
  expect(raw).toMatch(/^Message-ID: <[^>]+@[^>]+>\r?$/im)
})

test('both links of the mail download the files as they were built', async () => {
  const { kit } = await mailFor(newAddress())
  const page = await journey.visit('/')
  await page.goto(kit)
  expect(page.url()).toBe(kit)
  for (const [name, type] of [
    ['ema-crossover.pine', 'text/plain; charset=utf-8'],
    ['setup-guide.pdf', 'application/pdf'],
  ] as const) {
    expect((await fetch(`${kit}/${name}`)).headers.get('content-type')).toBe(type)
    const built = readFileSync(join(import.meta.dirname, '../../dist/site/kit', name))
    const download = page.waitForEvent('download')
    await page.locator(`a[href$="/${name}"]`).first().click()
    const downloaded = readFileSync(await (await download).path())
    expect((await download).suggestedFilename()).toBe(name)
    expect(downloaded.equals(built)).toBe(true)
    expect(await page.getByRole('main').textContent()).toContain(
      createHash('sha256').update(downloaded).digest('hex'),
    )
  }
})

test('opening the links of a mail changes nothing; the button on the page unsubscribes, and says so', async () => {
  const address = newAddress()
  const { kit } = await mailFor(address)
  const page = await journey.visit('/')
  await page.goto(`${kit}/unsubscribe`)
  await page.getByRole('heading', { name: resultPages.unsubscribe.heading }).waitFor()
  expect((await signUpAgain(address)).alreadyExists).toBe(true)
  await page.getByRole('button', { name: resultPages.unsubscribe.button }).click()
  await page.getByRole('heading', { name: resultPages.unsubscribed.heading }).waitFor()
  expect(await page.getByRole('main').textContent()).toContain(address)
  const script = await fetch(`${kit}/ema-crossover.pine`)
  expect(script.status).toBe(200)
  expect((await signUpAgain(address)).alreadyExists).toBe(false)
  await journey.inbox.arrival(2, address)
})

test('erase removes the address: its links are gone, and it may sign up as a stranger', async () => {
  const address = newAddress()
  const { kit } = await mailFor(address)
  const page = await journey.visit('/')
  await page.goto(kit)
  await page.locator('details.erase summary').click()
  await page.locator('form[action$="/erase"] button').click()
  await page.waitForURL(`${kit}/erase`)
  expect(await page.getByRole('main').textContent()).not.toContain(address)
  expect((await fetch(kit)).status).toBe(404)
  expect((await fetch(`${kit}/ema-crossover.pine`)).status).toBe(404)
  expect(journey.product.printed()).not.toContain(address)
  expect((await signUpAgain(address)).alreadyExists).toBe(false)
})

async function signUpAgain(address: string): Promise<{ alreadyExists: boolean }> {
  const { data } = await createClient(journey.product.url, developmentKey).functions.invoke(
    'send-starter-bot-email',
    { body: { email: address } },
  )
  return data
}
