/** Groups rows that come one by one, so that a long table needs no more memory than a short one. */
export function* inBatches<Row>(rows: Iterable<Row>, size: number): Generator<Row[]> {
  let batch: Row[] = []
  for (const row of rows) {
    if (batch.push(row) < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
