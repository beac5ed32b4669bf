import { expect, test } from 'vitest'
import { ourContent } from '#rigs/our-content.ts'
import { renderStarterEmail } from './starter-email.tsx'

const links = ['', '#script', '/ema-crossover.pine', '/setup-guide.pdf', '/news', '/block'].map(
  (end) => `{kitUrl}${end}`,
)
const occurrences = [
  '{address}',
  '{date}',
  ...links.map(() => '{kitUrl}'),
  '{publicUrl}',
  '{site}',
  '{unsubscribeUrl}',
]
const email = renderStarterEmail(ourContent)

test('both parts hold each placeholder once, and the personal page for each link below it', () => {
  expect(email.html.match(/\{\w+\}/g)?.toSorted()).toEqual(occurrences)
  expect(email.text.match(/\{\w+\}/g)?.toSorted()).toEqual(occurrences)
})

test('the first link is the button that leads to the script on the personal page; the two files are links', () => {
  const found = [...email.html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>/g)]
  expect(found[0]?.[1]).toBe('{kitUrl}#script')
  expect(found.filter(([tag]) => tag.includes('class="button"')).map(([, url]) => url)).toEqual([
    found[0]?.[1],
  ])
  expect(found.slice(1, 3).map(([, url]) => url)).toEqual([
    '{kitUrl}/ema-crossover.pine',
    '{kitUrl}/setup-guide.pdf',
  ])
  expect(email.text).toContain('Open the script:\n{kitUrl}#script')
})

test('both parts lead to the page that blocks the inbox', () => {
  expect(email.html).toContain('href="{kitUrl}/block"')
  expect(email.text).toContain(`${ourContent.starterEmail.notAskedLink}:\n{kitUrl}/block\n`)
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
  for (const link of [...links, '{unsubscribeUrl}']) {
    expect(email.text).toMatch(new RegExp(`^${link}$`, 'm'))
  }
  expect(email.text).toContain('Download script:\n{kitUrl}/ema-crossover.pine')
  expect(email.text).toContain(` 5. ${ourContent.starterEmail.steps[4]}`)
  expect(email.text).not.toMatch(/<|0\.00|HERE IS/)
})
