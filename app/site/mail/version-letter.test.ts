import { expect, test } from 'vitest'
import { ourContent } from '#rigs/our-content.ts'
import { renderVersionLetter } from './version-letter.tsx'

test('both parts have each placeholder, and nothing from outside', () => {
  const { html, text } = renderVersionLetter(ourContent)
  const shared = ['{announcementsUrl}', '{body}', '{kitUrl}', '{reason}', '{version}']
  for (const part of [html, text]) {
    expect([...new Set(part.match(/\{\w+\}/g))]).toEqual(expect.arrayContaining(shared))
  }
  for (const link of ['{announcementsUrl}', '{kitUrl}']) {
    expect(text).toMatch(new RegExp(`^${link}$`, 'm'))
  }
  expect(html).not.toMatch(/<img|<link|<script|src=|url\(|@import/i)
})
