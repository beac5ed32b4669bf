import { expect, test } from 'vitest'
import { wordPieces } from './word-pieces.ts'

test('what goes and what comes stand apart, word by word', () => {
  expect(wordPieces('It buys the dip.', 'It sells the dip.')).toMatchObject([
    { value: 'It ', removed: false, added: false },
    { value: 'buys', removed: true },
    { value: 'sells', added: true },
    { value: ' the dip.', removed: false, added: false },
  ])
})

test('a guide of thousands of words that was written anew is shown whole, not word by word', () => {
  const guide = (word: string) =>
    Array.from({ length: 5_000 }, (_, n) => `${word}${n} and`).join(' ')
  expect(wordPieces(guide('old'), guide('new'))).toEqual([
    { value: guide('old'), removed: true, added: false },
    { value: guide('new'), removed: false, added: true },
  ])
})
