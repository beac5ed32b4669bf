import { expect, test } from 'vitest'
import { whatChanged } from '#content/releases.ts'
import { renderWhatChanged } from '../../render-pages.tsx'

const releases = [
  { version: '1.2.0', date: '2026-12-31', changes: ['A `stop`, off by *default*.', 'Faster & smaller.'] },
  { version: '1.1.0', date: '2026-12-05', changes: ['Clearer alerts.'] },
  { version: '1.0.0', date: '2026-11-21', changes: [] },
]
const parts = renderWhatChanged(releases)

test('a visitor reads what changed since their first version, and nothing older', () => {
  const part = parts['what-changed-1.1.0-off']
  expect(part).toContain('You came with 1.1.0. This page now has 1.2.0.')
  expect(part).toContain(
    '<li>A <code>stop</code>, off by <strong>default</strong>.</li><li>Faster &#38; smaller.</li>',
  )
  expect(part).toContain('<b>1.1.0</b> <time dateTime="2026-12-05">5 December 2026</time>')
  expect(part).toContain(whatChanged.oldScript)
  expect(part).not.toContain('1.0.0')
  expect(part?.match(/yours/g)).toHaveLength(2) // its class and its word
})

test('a visitor with the newest version reads that it is the newest', () => {
  expect(parts['what-changed-1.2.0-off']).toContain(whatChanged.hasNewest)
  expect(parts['what-changed-1.2.0-off']).not.toContain(whatChanged.oldScript)
  expect(parts['what-changed-1.0.0-off']).toContain(whatChanged.firstVersion)
})

test('the switch is a form that posts the other state, and is missing after leaving', () => {
  const button = (state: string) => /<button[^>]*>/.exec(parts[`what-changed-1.0.0-${state}`] ?? '')?.[0]
  for (const said of ['role="switch"', 'aria-checked="false"', 'name="announcements"', 'value="on"'])
    expect(button('off')).toContain(said)
  for (const said of ['role="switch"', 'aria-checked="true"', 'name="announcements"', 'value="off"'])
    expect(button('on')).toContain(said)
  expect(parts['what-changed-1.0.0-on']).toContain('On since {{since}}.')
  expect(parts['what-changed-1.0.0-left']).not.toContain('<form')
})

test('without releases the switch is there all the same', () => {
  const none = renderWhatChanged([])
  expect(none['what-changed--off']).toContain('role="switch"')
  expect(none['what-changed--off']).not.toContain('came with')
})
