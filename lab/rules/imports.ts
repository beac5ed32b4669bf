import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseAst } from 'vite'

export type Imports = ReadonlyMap<string, ReadonlySet<string>>

export const root = join(import.meta.dirname, '../..')
const { imports: aliases }: { imports: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)

export function importsOfTrackedFiles(): Imports {
  const code = listTrackedFiles().filter(isCode)
  return importsOf(new Map(code.map((file) => [file, readFileSync(join(root, file), 'utf8')])))
}

/** Paths from the root with `/`; new files count before they are committed. */
export function listTrackedFiles(): string[] {
  const list = (...options: string[]) => {
    const git = spawnSync('git', ['ls-files', ...options], { cwd: root, encoding: 'utf8' })
    return git.status === 0 ? git.stdout.split('\n').filter((line) => line !== '') : undefined
  }
  const deleted = new Set(list('--deleted'))
  const present = list('--cached', '--others', '--exclude-standard')?.filter((file) => !deleted.has(file))
  // An unpacked archive is not a repository.
  return present ?? globSync('{*,{app,content,docs,lab,owner}/**/*.*}', { cwd: root })
}

export function isCode(file: string): boolean {
  return /\.(?:tsx?|mjs)$/.test(file)
}

/** `file` itself, and every file it imports, directly or not. */
export function reachedFrom(file: string, imports: Imports): Set<string> {
  const reached = new Set([file])
  for (const one of reached) for (const next of imports.get(one) ?? []) reached.add(next)
  return reached
}

/** The files of `sources` that each of them imports: statically, dynamically, and for its types alone. */
export function importsOf(sources: ReadonlyMap<string, string>): Imports {
  return new Map(
    [...sources].map(([file, text]) => {
      const targets = specifiersIn(file, text).map((specifier) => resolve(file, specifier))
      return [file, new Set(targets.filter((target) => sources.has(target)))]
    }),
  )
}

function specifiersIn(file: string, text: string): string[] {
  const specifiers: string[] = []
  visitNodes(file, text, ({ source }) => {
    if (typeof source === 'object' && source !== null && 'value' in source)
      specifiers.push(String(source.value))
  })
  return specifiers
}

/** Path from the root. A package, or one of Node's own modules, stays as it is. */
function resolve(importer: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(importer), specifier)
  for (const [alias, target] of Object.entries(aliases)) {
    const prefix = alias.slice(0, -1)
    if (specifier.startsWith(prefix)) return posix.join(target.slice(0, -1), specifier.slice(prefix.length))
  }
  return specifier
}

/** Groups of files of which every one reaches every other. */
export function findCycles(imports: Imports): string[][] {
  const reached = new Map(Array.from(imports.keys(), (file) => [file, reachedFrom(file, imports)]))
  const groups = Array.from(reached, ([file, all]) =>
    [...all].filter((other) => reached.get(other)!.has(file)).toSorted(),
  )
  const cycles = new Map(groups.filter(({ length }) => length > 1).map((group) => [group.join(), group]))
  return [...cycles.values()]
}

interface SyntaxNode {
  type: string
  start: number
  end: number
  source?: unknown
}

/** Calls `act` for each node of the file's syntax tree, parents first. */
export function visitNodes(file: string, text: string, act: (node: SyntaxNode) => void): void {
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('type' in value && 'start' in value) act(value as SyntaxNode) // a node, as the parser makes it
    for (const child of Object.values(value)) visit(child)
  }
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
}
