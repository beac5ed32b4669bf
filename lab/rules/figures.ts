// `node lab/rules/figures.ts`: the size and shape of the code, from the files that git tracks. figures.test.ts holds the limits.
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { findCycles, type Imports, importsOf, isCode, listTrackedFiles, root, visitNodes } from './imports.ts'

type Ring = 'app' | 'owner' | 'lab'

const lonelyBelowLines = 40

export function readFigures() {
  const tracked = listTrackedFiles()
  const code = tracked.filter(isCode)
  const sources = new Map(code.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const imports = importsOf(sources)
  const product = code.filter((file) => !isTest(file))
  return {
    rings: countRings(product, sources),
    /** Folders with the most entries first; tests and migrations, which are never deleted, are not counted. */
    siblings: countSiblings(tracked),
    /** Functions with the most lines first. */
    functions: product
      .flatMap((file) => measureFunctions(file, sources.get(file) ?? ''))
      .toSorted((a, b) => b.lines - a.lines),
    /** Files with exactly one importer and few lines. */
    lonely: findLonely(product, sources, imports),
    cycles: findCycles(imports),
  }
}

export function isTest(file: string): boolean {
  return /\.(?:test|e2e)\.tsx?$/.test(file)
}

/** `content/` and the files in the root serve a visitor; `vitest.config.ts` proves. */
export function ringOf(file: string): Ring {
  if (file.startsWith('owner/')) return 'owner'
  return file.startsWith('lab/') || file === 'vitest.config.ts' ? 'lab' : 'app'
}

function countRings(product: readonly string[], sources: ReadonlyMap<string, string>) {
  const rings: Record<Ring, { lines: number; files: number }> = {
    app: { lines: 0, files: 0 },
    owner: { lines: 0, files: 0 },
    lab: { lines: 0, files: 0 },
  }
  for (const file of product) {
    const ring = rings[ringOf(file)]
    ring.lines += countLines(sources.get(file) ?? '')
    ring.files += 1
  }
  return rings
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}

function countSiblings(tracked: readonly string[]) {
  const entries = new Map<string, Set<string>>()
  for (const file of tracked) {
    if (isTest(file) || file.endsWith('.png')) continue
    for (let path = file; path.includes('/'); path = dirname(path)) {
      const names = entries.get(dirname(path)) ?? new Set()
      entries.set(dirname(path), names.add(basename(path)))
    }
  }
  return [...entries]
    .filter(([folder]) => /^(?:app|owner|lab|content)\b(?!.*\/migrations$)/.test(folder))
    .map(([folder, names]) => ({ folder, count: names.size }))
    .toSorted((a, b) => b.count - a.count)
}

function measureFunctions(file: string, text: string) {
  const measured: { place: string; lines: number; hasJsx: boolean }[] = []
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  visitNodes(file, text, (node) => {
    if (!/^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return
    const [first, last] = [lineAt(node.start), lineAt(node.end)]
    const hasJsx = /<\/?[A-Za-z]/.test(text.slice(node.start, node.end)) && file.endsWith('x')
    measured.push({ place: `${file}:${first}`, lines: last - first + 1, hasJsx })
  })
  return measured
}

/** Tests do not count as importers. */
function findLonely(product: readonly string[], sources: ReadonlyMap<string, string>, imports: Imports) {
  const importers = Map.groupBy(
    [...imports].flatMap(([file, all]) => [...all].map((imported) => ({ file, imported }))),
    ({ imported }) => imported,
  )
  return product.flatMap((file) => {
    const lines = countLines(sources.get(file) ?? '')
    const [importer, ...others] = (importers.get(file) ?? []).filter((one) => !isTest(one.file))
    if (!importer || others.length > 0 || lines >= lonelyBelowLines) return []
    return [{ file, lines, importer: importer.file }]
  })
}

function printFigures({ rings, siblings, functions, lonely, cycles }: ReturnType<typeof readFigures>): void {
  const total = Object.values(rings).reduce((sum, { lines }) => sum + lines, 0)
  console.log(`lines without tests, all rings: ${total}`)
  for (const [ring, { lines, files }] of Object.entries(rings))
    console.log(`  ${ring}: ${lines} in ${files} files`)
  console.log(`files with one importer and under ${lonelyBelowLines} lines: ${lonely.length}`)
  for (const { file, lines, importer } of lonely) console.log(`  ${file} (${lines}), imported by ${importer}`)
  const wide = siblings.filter(({ count }) => count > 12)
  console.log(`folders with more than 12 entries: ${wide.length}`)
  for (const { folder, count } of wide) console.log(`  ${folder}: ${count}`)
  const long = functions.filter(({ lines, hasJsx }) => lines > (hasJsx ? 60 : 40))
  console.log(`functions over 40 lines (JSX 60): ${long.length}, longest ${functions[0]?.lines ?? 0}`)
  for (const { place, lines } of long) console.log(`  ${place}: ${lines}`)
  console.log(`import cycles, types included: ${cycles.length}`)
  for (const cycle of cycles) console.log(`  ${cycle.join(' -> ')}`)
}

if (import.meta.main) printFigures(readFigures())
