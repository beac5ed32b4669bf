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

test('a guide of thousands of words that was written anew is shown whole, at once', () => {
  const words = (name: string) => Array.from({ length: 5_000 }, (_, n) => `${name}${n}`).join(' ')
  const start = performance.now()
  const pieces = wordPieces(words('old'), words('new'))
  expect(performance.now() - start).toBeLessThan(2_000)
  expect(pieces).toMatchObject([
    { value: words('old'), removed: true },
    { value: words('new'), added: true },
  ])
})
