import { expect, test } from 'vitest'
import { checkWords } from './check-words.ts'
import { completeAddress } from './complete-address.ts'
import { checkLinks } from './links.ts'

test.each([
  ['youtube.com/@x', 'https://youtube.com/@x'],
  ['example.com', 'https://example.com'],
  ['HTTPS://example.com/a?b#c', 'HTTPS://example.com/a?b#c'],
  ['mailto:ada@example.com', 'mailto:ada@example.com'],
  ['mailto:ada@example.com now', undefined],
  ['mailto:ada', undefined],
  ['to mailto:ada@example.com', undefined],
  ['see https://example.com', undefined],
  [' example.com ', 'https://example.com'],
  ['https://', undefined],
  ['https://nowhere', undefined],
  ['click here', undefined],
  ['', undefined],
  ['/pictures/x.png', undefined],
  ['ftp://example.com', undefined],
])('the address %j is completed to %j', (typed, address) => {
  expect(completeAddress(typed)).toBe(address)
})

test.each([
  '[a](https://)',
  '[a]()',
  '[a](words)',
  '[a](two words)',
  '[a](javascript:alert(1))',
  'Text [b](x.example) [a](/page)',
])('the letter %j is not sent: one of its links leads nowhere', (words) => {
  expect(() => checkLinks(words)).toThrow('The link “a”')
})

test.each([
  ['[a]()', 'The link “a” has no address. Write an address such as https://example.com.'],
  [
    '[b](two words)',
    'The link “b” leads to “two words”. Write an address such as https://example.com.',
  ],
])('the letter %j is refused with the words and the address of the link', (words, why) => {
  expect(() => checkLinks(words)).toThrow(why)
})

test.each([
  [' ', 'Hello', 'It has no subject yet.'],
  ['News', '\n ', 'It has no text yet.'],
  ['News', '![](/pictures/a.png)', 'A picture has no description'],
  ['News', '[a](words)', 'The link “a” leads to “words”.'],
])('a letter with the subject %j and the text %j cannot be sent', (subject, words, why) => {
  expect(() => checkWords({ subject, words })).toThrow(why)
})

test('a letter with a subject and a text can be sent', () => {
  checkWords({ subject: 'News', words: 'Hello' })
})

test('links that lead somewhere hold no letter back', () => {
  checkLinks(
    '[a](youtube.com/@x) https://b.example [c](mailto:a@b.co) {{close}} ![d](x.png) `[e](f g)`',
  )
})
