import { brand } from '#content/brand.ts'

/** Prints each fault as one line, and ends the process. */
export function cannotStart(faults: readonly string[]): never {
  const lines = faults.map((fault) => `  - ${fault}`)
  console.error([`${brand.name} cannot start:`, ...lines].join('\n'))
  process.exit(1)
}
