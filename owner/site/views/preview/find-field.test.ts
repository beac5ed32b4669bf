import { expect, test } from 'vitest'
import { allFields } from '#site/words/description.ts'
import { defaultContent } from '#content/content.ts'
import { fieldAtElement } from './find-field.ts'

/** An element as far as a search for its field looks at it. */
function elementWith(textContent: string): Element {
  return { textContent, parentElement: null } as Element
}

function fieldOf(words: string, texts = {}): string | undefined {
  return fieldAtElement(elementWith(words), allFields(), texts, {})
}

test('a press on a text leads to its field', () => {
  expect(fieldOf('Trade with the tide', { 'landingPage.hero.lede': 'Trade with the tide' })).toBe(
    'landingPage.hero.lede',
  )
})

test('a press on the link of a step of the guide leads to its words', () => {
  const [step] = defaultContent.setupGuide.steps
  const link = { url: 'https://tide.example', text: 'Look at the tide table' }
  expect(fieldOf(link.text, { 'setupGuide.steps': [{ ...step, link }] })).toBe(
    'setupGuide.steps.0.link.text',
  )
})

test('a press on a text of a list without names leads to its entry', () => {
  expect(fieldOf('Then save it.', { 'starterEmail.steps': ['Open it.', 'Then save it.'] })).toBe(
    'starterEmail.steps.1',
  )
})
