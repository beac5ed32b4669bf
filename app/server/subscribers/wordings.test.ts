import { expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { consentWords } from '#contract/consent-words.ts'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { contentHash, findNewsWording, keepWordings, wordingsOf } from './wordings.ts'

test('of a sign-up the words around both forms are kept, and their language', () => {
  const { brand, landingPage, signUp } = defaultContent
  const { hero, closingCall } = landingPage
  expect(JSON.parse(wordingsOf(defaultContent).signUp.content)).toEqual({
    language: brand.language,
    label: signUp.label,
    hero: { lede: hero.lede, button: hero.button, reassurance: hero.reassurance },
    closing: { button: closingCall.button, promise: closingCall.promise },
  })
})

test.each(['switch', 'asked', 'mail'] as const)(
  'of a consent the words on the screen are kept, and where it was asked for: %s',
  (place) => {
    const wording = wordingsOf(defaultContent).news[place]
    expect(JSON.parse(wording.content)).toEqual({
      language: defaultContent.brand.language,
      place,
      ...consentWords(defaultContent)[place],
    })
  },
)

test('a text has the same short name in every version of the product', () => {
  expect(contentHash('a')).toBe('ypeBEsobvcr6wjGzmiPcTa')
})

test('a consent is found by the name of its words, which were published once; a sign-up is none', async () => {
  const { database } = await temporaryDatabase()
  const { signUp, news } = wordingsOf(defaultContent)
  expect(await findNewsWording(database, news.mail.hash)).toBeUndefined()
  await database.transaction((transaction) => keepWordings(transaction, { signUp, news }))
  expect(await findNewsWording(database, news.mail.hash)).toEqual(news.mail)
  expect(await findNewsWording(database, signUp.hash)).toBeUndefined()
})
