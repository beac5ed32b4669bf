import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The programs that draw. A change of theirs may change the results as well. */
export function drawingCode(): string[] {
  const drawing = readdirSync(import.meta.dirname).map((name) => `artwork/${name}`)
  const files = ['artwork.ts', 'pine/pine-runner.ts', 'pine/price-series.ts', ...drawing]
  return files
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(import.meta.dirname, '..', name), 'utf8'))
}
