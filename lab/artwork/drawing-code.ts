import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const files = [
  'lab/artwork.ts',
  'lab/pine/pine-runner.ts',
  'lab/pine/price-series.ts',
  'app/site/drawing/pdf-page.ts',
  'app/site/drawing/png.ts',
  'app/site/drawing/rasterize.ts',
  'app/site/drawing/typeset.ts',
  'app/site/words/checks/letters.ts',
]

/** The programs that draw. A change of theirs may change the results as well. */
export function drawingCode(): string[] {
  const drawing = readdirSync(import.meta.dirname).map((name) => `lab/artwork/${name}`)
  return [...files, ...drawing]
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(root, name), 'utf8'))
}
