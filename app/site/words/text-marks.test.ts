import { expect, test } from 'vitest'
import { renderingBuild } from '#rigs/server/rendering-build.ts'
import { defaultSource } from '#site/source.ts'
import { marks, markText, pathOf, withoutMarks } from './text-marks.ts'

const { renderer } = renderingBuild()

function pathsIn(html: string): string[] {
  return [...html.matchAll(marks)].flatMap(([, letters]) => (letters ? [pathOf(letters)] : []))
}

test('the path of a text can be read from its mark', () => {
  const marked = markText('landingPage.hero.heading.0', 'Trade {symbol}.')
  expect(pathsIn(`<h1>${marked}</h1>`)).toEqual(['landingPage.hero.heading.0'])
  expect(withoutMarks(marked)).toBe('Trade {symbol}.')
})

test('a marked site differs from the one that visitors get by its marks alone', async () => {
  const plain = await renderer.make(defaultSource)
  const marked = await renderer.make(defaultSource, { isMarked: true })
  for (const [name, html] of Object.entries(plain.pages)) {
    expect(withoutMarks(marked.pages[name] ?? ''), name).toBe(html)
  }
  for (const name of ['starter', 'versionLetter'] as const) {
    expect(withoutMarks(marked.mails[name].html), name).toBe(plain.mails[name].html)
  }
  expect(marked.root).toEqual(plain.root)
  expect(JSON.stringify(marked.content)).toBe(JSON.stringify(plain.content))
  const landing = pathsIn(marked.pages['landing'] ?? '')
  for (const path of [
    'landingPage.hero.lede',
    'brand.name',
    'landingPage.howItWorks.steps.0.text',
  ]) {
    expect(landing).toContain(path)
  }
  expect(pathsIn(marked.mails.starter.html)).toContain('starterEmail.steps.1')
})
