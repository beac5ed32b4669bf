import { expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { contentHash, wordingsOf } from './wordings.ts'

test('of a sign-up the words around both forms are kept, and their language', () => {
  const { brand, landingPage, signUp } = defaultContent
  const { hero, closingCall } = landingPage
  expect(JSON.parse(wordingsOf(defaultContent).signUp.content)).toEqual({
    language: brand.language,
    label: signUp.label,
    hero: { lede: hero.lede, button: hero.button },
    closing: { button: closingCall.button, promise: closingCall.promise },
  })
})

test('of a consent the words beside the switch are kept, and what they cover', () => {
  const { label, textWhenOff, covers } = defaultContent.whatChanged.announcements
  const { news } = wordingsOf(defaultContent)
  expect(JSON.parse(news.content)).toEqual({
    language: defaultContent.brand.language,
    label,
    text: textWhenOff,
    covers,
  })
  expect(news.covers).toBe(covers)
})

test('a text has the same short name in every version of the product', () => {
  expect(contentHash('a')).toBe('ypeBEsobvcr6wjGzmiPcTa')
})
