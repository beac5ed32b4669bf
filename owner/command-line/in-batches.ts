/**
 * Groups rows that come one by one, so that a long file needs no more memory than a short one. If reading fails, the rows
 * before the fault come first.
 */
export async function* inBatches<Row>(
  rows: Iterable<Row> | AsyncIterable<Row>,
  size = 500,
): AsyncGenerator<Row[]> {
  let batch: Row[] = []
  try {
    for await (const row of rows) {
      batch.push(row)
      if (batch.length < size) continue
      const full = batch
      batch = [] // a reader that stops at the next line gets nothing twice
      yield full
    }
  } finally {
    if (batch.length > 0) yield batch
  }
}
