import { UsageError } from '#owner/acts/errors.ts'

/** The position of the column that the owner names. */
export function positionOf(name: string, header: readonly string[]): number {
  const index = header.indexOf(name)
  if (index !== -1) return index
  throw new UsageError(`There is no column "${name}". The columns are: ${listed(header)}.`)
}

export function listed(header: readonly string[]): string {
  return header.map((name) => `"${name}"`).join(', ') || 'none'
}
