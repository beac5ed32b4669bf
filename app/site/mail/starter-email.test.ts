import { expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { renderStarterEmail } from './starter-email.tsx'

const placeholders = ['{address}', '{guideUrl}', '{kitUrl}', '{scriptUrl}', '{unsubscribeUrl}']
/** The personal page, the script on it, the question about news, and the page that blocks the inbox. */
const occurrences = [...placeholders, '{kitUrl}', '{kitUrl}', '{kitUrl}'].toSorted()
const email = renderStarterEmail(defaultContent)

test('both parts hold each placeholder once, and the personal page four times', () => {
  expect(email.html.match(/\{\w+\}/g)?.toSorted()).toEqual(occurrences)
  expect(email.text.match(/\{\w+\}/g)?.toSorted()).toEqual(occurrences)
})

test('the first link is the button that leads to the script on the personal page; the two files are links', () => {
  const links = [...email.html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>/g)]
  expect(links[0]?.[1]).toBe('{kitUrl}#script')
  expect(links.filter(([tag]) => tag.includes('class="button"')).map(([, url]) => url)).toEqual([
    links[0]?.[1],
  ])
  expect(links.slice(1, 3).map(([, url]) => url)).toEqual(['{scriptUrl}', '{guideUrl}'])
  expect(email.text).toContain('Open the script:\n{kitUrl}#script')
})

test('both parts lead to the page that blocks the inbox', () => {
  expect(email.html).toContain('href="{kitUrl}/block"')
  expect(email.text).toContain(`${defaultContent.starterEmail.notAskedLink}:\n{kitUrl}/block\n`)
})

test('the HTML is smaller than 20 kB and loads nothing from outside', () => {
  expect(Buffer.byteLength(email.html)).toBeLessThan(20_000)
  expect(email.html).not.toMatch(/<img|<link|<script|src=|url\(|@import/i)
})

test('every table is for layout only, and the title is the only h1', () => {
  const tables = email.html.match(/<table[^>]*>/g) ?? []
  expect(tables.length).toBeGreaterThan(3)
  expect(tables.filter((table) => !table.includes('role="presentation"'))).toEqual([])
  expect(
    email.html.match(/<h1[^>]*>[^<]*/g)?.map((heading) => heading.replace(/<[^>]*>/, '')),
  ).toEqual(['Here is your bot.'])
})

test('the text part has each link on a separate line and nothing of the layout', () => {
  for (const link of placeholders.filter((placeholder) => placeholder.endsWith('Url}'))) {
    expect(email.text).toMatch(new RegExp(`^${link}$`, 'm'))
  }
  expect(email.text).toContain('Download script:\n{scriptUrl}')
  expect(email.text).toContain(
    ' 5. Try an alert on 1-minute bars. Then create the real one, and a webhook if you want it.',
  )
  expect(email.text).not.toMatch(/<|0\.00|HERE IS/)
})
