import { diffWords } from 'diff'

/** A part of two texts. `removed`: only the first has it. `added`: only the second has it. */
export interface Piece {
  value: string
  removed: boolean
  added: boolean
}

/** The time grows with the square of the words that differ. These take a tenth of a second. */
const maxWords = 500

/** Two texts, piece by piece. Of texts that differ in hundreds of words each is one piece. */
export function wordPieces(before: string, after: string): Piece[] {
  const pieces = diffWords(before, after, { maxEditLength: maxWords })
  if (pieces) return pieces
  return [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
}
