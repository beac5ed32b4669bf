/** A piece of a text, in both of two texts or in one of them. */
export interface Piece {
  text: string
  isChanged: boolean
}

/** The words that go from `before` and those that come in `after`, each text whole. */
export function wordDifference(before: string, after: string): { before: Piece[]; after: Piece[] } {
  const old = wordsOf(before)
  const now = wordsOf(after)
  const kept = longestCommon(old, now)
  return { before: pieces(old, kept), after: pieces(now, kept) }
}

/** Each with the space after it. */
function wordsOf(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? []
}

/** The longest common subsequence: the most words that both have in the same order. */
function longestCommon(one: readonly string[], other: readonly string[]): string[] {
  // At [i][j]: the length of that of `one` from its word i on and `other` from its word j on.
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1))
  const lengthAt = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      lengths[i]![j] = isSameWord(one[i], other[j])
        ? lengthAt(i + 1, j + 1) + 1
        : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
    }
  }
  const common: string[] = []
  let i = 0
  let j = 0
  while (lengthAt(i, j) > 0) {
    if (isSameWord(one[i], other[j])) {
      common.push(one[i]!.trim())
      i += 1
      j += 1
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) {
      i += 1
    } else {
      j += 1
    }
  }
  return common
}

function isSameWord(one: string | undefined, other: string | undefined): boolean {
  return one?.trim() === other?.trim()
}

/** Words that follow each other and are both kept, or both changed, are one piece. */
function pieces(words: readonly string[], kept: readonly string[]): Piece[] {
  const found: Piece[] = []
  let next = 0
  for (const text of words) {
    const isChanged = text.trim() !== kept[next]
    if (!isChanged) next += 1
    const last = found.at(-1)
    if (last?.isChanged === isChanged) last.text += text
    else found.push({ text, isChanged })
  }
  return found
}
