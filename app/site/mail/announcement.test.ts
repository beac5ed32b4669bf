import { expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { renderAnnouncement } from './announcement.tsx'

const release = {
  version: '1.2.0',
  date: '2026-12-31',
  changes: ['A `stop`, off by *default*.', 'Faster & smaller.'],
}

test('both parts have the changes, each placeholder once, and nothing from outside', async () => {
  const { html, text, subject } = renderAnnouncement(defaultContent, release)
  expect(subject).toBe('Version 1.2.0 of your starter kit')
  const placeholders = ['{announcementsUrl}', '{body}', '{kitUrl}', '{reason}']
  for (const part of [html, text]) {
    expect(part.match(/\{\w+\}/g)?.toSorted()).toEqual(placeholders)
  }
  expect(html).toContain('A stop, off by default.')
  expect(text).toMatch(/^ \* Faster & smaller\.$/m)
  for (const link of ['{announcementsUrl}', '{kitUrl}']) {
    expect(text).toMatch(new RegExp(`^${link}$`, 'm'))
  }
  expect(html).not.toMatch(/<img|<link|<script|src=|url\(|@import/i)
})
