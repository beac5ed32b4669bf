const maxDistance = 2

/**
 * Sentences about variables that nothing reads and that are almost one that is read, such as
 * SMPT_URL.
 */
export function misspeltVariables(set: readonly string[], known: ReadonlySet<string>): string[] {
  // The names of one word, HOST and PORT, are near too many others.
  const unknown = set.filter((name) => name.includes('_') && !known.has(name))
  return unknown.flatMap((name) => {
    // A machine has many variables: comparing each with all names cost every start some MB.
    const alike = [...known].filter((one) => Math.abs(one.length - name.length) <= maxDistance)
    const meant = alike.find((one) => distance(name, one) <= maxDistance)
    return meant === undefined ? [] : [`${name} is unknown: did you mean ${meant}?`]
  })
}

/** Levenshtein's: characters to insert, delete or replace. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, character] of Array.from(from).entries()) {
    const next = [index + 1]
    for (let column = 0; column < to.length; column++) {
      next.push(
        Math.min(
          next[column]! + 1,
          row[column + 1]! + 1,
          row[column]! + (character === to[column] ? 0 : 1),
        ),
      )
    }
    row = next
  }
  return row.at(-1)!
}
