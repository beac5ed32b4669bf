import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { visitNodes } from './syntax.ts'

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
  const listed = ['--cached --others --exclude-standard', '--deleted'].map((options) => {
    const git = spawnSync('git', ['ls-files', ...options.split(' ')], { cwd: root, encoding: 'utf8' })
    return git.status === 0 ? git.stdout.split('\n').filter((line) => line !== '') : undefined
  })
  const [present, deleted] = listed
  // An unpacked archive is not a repository.
  return (
    present?.filter((file) => !deleted?.includes(file)) ??
    globSync('{*,{app,content,docs,lab,owner}/**/*.*}', { cwd: root })
  )
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

/** Each group of files of which every one reaches every other (Tarjan's strongly connected components). */
export function findCycles(imports: Imports): string[][] {
  const found: string[][] = []
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const connect = (file: string) => {
    index.set(file, index.size)
    low.set(file, index.get(file)!)
    stack.push(file)
    for (const next of imports.get(file) ?? []) {
      if (!index.has(next)) {
        connect(next)
        low.set(file, Math.min(low.get(file)!, low.get(next)!))
      } else if (stack.includes(next)) low.set(file, Math.min(low.get(file)!, index.get(next)!))
    }
    if (low.get(file) !== index.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1) found.push(group.toSorted())
  }
  for (const file of imports.keys()) if (!index.has(file)) connect(file)
  return found
}
