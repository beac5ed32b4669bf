import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { whatChanged } from '#content/pages/what-changed.ts'
import { releases } from '#content/releases.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { ownerOf } from '#rigs/owner/owner-commands.ts'
import { resultPages } from '#content/pages/result-pages.ts'
import { startJourney } from './journey.ts'

const journey = startJourney()
const { label } = whatChanged.announcements

test('the page says which version the visitor came with, and the keyboard turns the switch', async () => {
  const { kit } = await journey.signUpByPost()
  const page = await journey.visit(kit, { viewport: { width: 1440, height: 900 } })
  const section = page.getByRole('region', { name: whatChanged.headingOfNews })
  const version = releases[0]?.version ?? ''
  expect(await section.textContent()).toContain(whatChanged.hasNewest.replace('{version}', version))
  await page.getByRole('switch', { name: label }).press('Enter')
  await page.locator('[role=switch][aria-checked=true]').waitFor()
  // A reload of the answer, or its link sent on, would lead to the page that ends the mail.
  await page.waitForURL(`${kit}#what-changed`)
  await page.reload()
  expect(await stateOf(page)).toBe('true')
})

test('a letter goes to those who agreed, is readable in light and dark, and its link turns off letters or leads on to leaving the list', async () => {
  const { address, kit } = await journey.signUpByPost()
  await fetch(`${kit}/announcements`, {
    method: 'POST',
    body: new URLSearchParams({ announcements: 'on' }),
  })
  const file = join(temporaryFolder(), 'news.md')
  writeFileSync(file, '---\nsubject: News\n---\n\n# Hello\n\nSet `{{close}}`.')
  const databaseUrl = `file:${journey.product.databaseFile}`
  const owner = ownerOf(databaseUrl, { PUBLIC_URL: journey.product.url })
  for (const words of [
    ['add', file],
    ['send', 'news', '--now'],
  ]) {
    expect(await owner('mailings', ...words)).toMatchObject({ code: 0, aside: '' })
  }
  const [, received] = await journey.inbox.arrival(2, address)
  const mail = await PostalMime.parse(received?.raw ?? '')
  expect(mail.subject).toBe('News')
  expect(mail.text).toContain('{{close}}')
  for (const colorScheme of ['light', 'dark'] as const) {
    const width = colorScheme === 'light' ? 640 : 390
    const page = await journey.open({ colorScheme, viewport: { width, height: 900 } })
    await page.setContent(mail.html ?? '')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
  const link = /\S+\/announcements$/m.exec(mail.text ?? '')?.[0] ?? ''
  const page = await journey.visit(link, { javaScriptEnabled: false })
  const { button, link: everything } = resultPages.announcements
  expect(await page.getByRole('link', { name: everything }).getAttribute('href')).toMatch(
    /\/unsubscribe$/,
  )
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('switch', { name: label }).waitFor()
  expect(await stateOf(page)).toBe('false')
})

function stateOf(page: Page) {
  return page.getByRole('switch', { name: label }).getAttribute('aria-checked')
}
