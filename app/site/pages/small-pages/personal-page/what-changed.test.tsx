import { expect, test } from 'vitest'
import { ourContent } from '#rigs/our-content.ts'
import type { KitRelease } from '#content/releases.ts'
import { fill } from '#site/text/fill.ts'
import { renderParts } from '#site/pages/render-pages.tsx'

const { whatChanged } = ourContent
const releases = [
  {
    version: '1.2.0',
    date: '2026-12-31',
    changes: ['A `stop`, off by *default*.', 'Faster & smaller.'],
  },
  { version: '1.1.0', date: '2026-12-05', changes: ['Clearer alerts.'] },
  { version: '1.0.0', date: '2026-11-21', changes: [] },
]
const partsOf = (listed: readonly KitRelease[]) => renderParts({ ...ourContent, releases: listed })
const parts = partsOf(releases)
const part = parts['what-changed-1.1.0-off']

test('a visitor reads what changed since their first version, and nothing older', () => {
  expect(part).toContain('Your email had version 1.1.0. This page now has 1.2.0.')
  expect(part).toContain(
    '<li>A <code translate="no">stop</code>, off by <strong>default</strong>.</li><li>Faster &#38; smaller.</li>',
  )
  expect(part).toContain(
    '<b>1.1.0</b> <time class="soft" dateTime="2026-12-05">5 December 2026</time>',
  )
  expect(part).toContain(whatChanged.oldScript)
  expect(part).not.toContain('1.0.0')
  expect(part?.match(/yours/g)).toHaveLength(2) // its class and its word
})

test('whoever came with the newest version finds its changes folded', () => {
  expect(parts['what-changed-1.2.0-off']).toContain(
    fill(whatChanged.hasNewest, { version: '1.2.0' }),
  )
  expect(parts['what-changed-1.2.0-off']).toMatch(/<details><summary>New in 1\.2\.0<\/summary><ul/)
  expect(parts['what-changed-1.2.0-off']).not.toContain(whatChanged.oldScript)
  expect(part).not.toContain('<details')
})

test('the switch is missing after leaving', () => {
  expect(parts['what-changed-1.0.0-left']).not.toContain('<form')
})

test.each([
  ['one version', releases.slice(-1), 'what-changed-1.0.0-off'],
  ['no version', [], 'what-changed--off'],
  ['a mail without one of these', releases, 'what-changed--off'],
])('with %s there is the switch for news, and nothing that changed', (_, listed, name) => {
  const html = partsOf(listed)[name]
  expect(html).toContain('role="switch"')
  expect(html).toContain(`>${whatChanged.headingOfNews}<`)
  expect(html).not.toMatch(/1\.0\.0|newest version|<details|class="releases"/)
})
