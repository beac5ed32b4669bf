import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const files = [
  'lab/artwork.ts',
  'lab/pine/pine-runner.ts',
  'lab/pine/price-series.ts',
  'app/renderer/drawing/pdf-page.ts',
  'app/renderer/drawing/png.ts',
  'app/renderer/drawing/rasterize.ts',
  'app/renderer/drawing/typeset.ts',
  'app/words/checks/letters.ts',
]

/** The programs that draw. A change of theirs may change the results as well. */
export function drawingCode(): string[] {
  const drawing = readdirSync(import.meta.dirname).map((name) => `lab/artwork/${name}`)
  return [...files, ...drawing]
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(root, name), 'utf8'))
}
