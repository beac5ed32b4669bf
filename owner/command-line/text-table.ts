/** Aligned columns under their names; numbers to the right. */
export function textTable(rows: readonly Record<string, string | number>[]): string {
  const names = Object.keys(rows[0] ?? {})
  const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))]
  const widths = names.map((_, column) =>
    cells.reduce((most, line) => Math.max(most, line[column]!.length), 0),
  )
  const isNumber = names.map((name) => rows.every((row) => typeof row[name] === 'number'))
  const lines = cells.map((line) =>
    line
      .map((cell, column) =>
        isNumber[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

/** In UTC, to the second; a dash where there is none. */
export function timeText(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? '-' : new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}
