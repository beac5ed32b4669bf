import { describe, expect, test } from 'vitest'
import { ourScript } from '#build/share/artwork.ts'
import { defaultContent } from '#content/content.ts'
import type { ContentValue } from '#site/words/description.ts'
import { siteContent } from './site-content.ts'
import { defaultSource } from './source.ts'

const ours = ourScript()

function scriptOf(version: string, name = 'mine.pine') {
  const bytes = Buffer.from(`//@version=6\n// Version ${version}, 2026-11-30\nstrategy("A")\n`)
  return { name, mediaType: 'text/plain', bytes }
}

test.each([
  ['rsi turn.pine', 'rsi-turn.pine'],
  ['Stratégie.v2.pine', 'Strategie-v2.pine'],
  ['my_bot-2.txt', 'my_bot-2.pine'],
  ['策略.pine', 'starter.pine'],
])("the owner's script %s is saved as %s", (name, savedAs) => {
  const source = { ...defaultSource, files: { script: scriptOf('1.0.0', name) } }
  expect(siteContent(source, ours).fileNames.script).toBe(savedAs)
})

describe('the list of versions', () => {
  const [newest, ...older] = defaultContent.releases
  const listOf = (
    listed: ContentValue | undefined,
    { script, own }: { script?: Uint8Array; own?: string } = {},
  ) => {
    const texts = listed === undefined ? {} : { releases: listed }
    const files = own === undefined ? {} : { script: scriptOf(own) }
    const { releases } = siteContent({ difference: { texts }, files }, script ?? ours)
    return releases.map(({ version, changes }) => `${version} ${changes.join(' ')}`.trim())
  }
  const day = (version: string, changes: string[]) => ({ version, date: '2026-11-30', changes })

  test('begins with the script that is given away: content/releases.ts needs an entry for it', () => {
    expect(listOf(undefined)[0]).toContain(newest?.version)
  })

  test('with changed words goes on with what newer releases of ours add', () => {
    const changed = older.map((release) => ({ ...release, changes: ['In my words.'] }))
    const [first, second] = listOf(changed)
    expect(first).toContain(newest?.changes[0])
    expect(second).toBe(`${older[0]?.version} In my words.`)
  })

  test('is left out if it begins with another version than the script', () => {
    expect(listOf([day('9.0.0', ['x'])])).toEqual([])
    expect(listOf([])).toEqual([])
    expect(listOf([day('2.0.0', ['x'])], { own: '3.0.0' })).toEqual([])
  })

  test('for a script of the owner’s is the owner’s own, or else has its version alone', () => {
    expect(listOf([day('2.0.0', ['Faster.'])], { own: '2.0.0' })).toEqual(['2.0.0 Faster.'])
    expect(listOf(undefined, { own: '2.0.0' })).toEqual(['2.0.0'])
  })
})
