import { expect, test } from 'vitest'
import { fieldShownAs } from './shown-as.ts'

test.each([
  ['landingPage.hero.heading.0', 'page'],
  ['landingPage.shareImageAlt', 'share-picture'],
  ['signUp.slip.question', 'note'],
  ['releases', 'personal-page'],
])('%s is shown in the document %s', (path, document) => {
  expect(fieldShownAs(path)).toBe(document)
})

// Anything may stand behind the # of an address.
test.each(['brand.name', '', '%', 'constructor', '__proto__', 'toString', 'valueOf.name'])(
  '%j is shown in no document of its own',
  (path) => {
    expect(fieldShownAs(path)).toBeUndefined()
  },
)
