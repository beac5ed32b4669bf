import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { type ESTree, parseAst } from 'vite'
import { readOwnFiles } from '#site/files/own-file.ts'
import { ownContent } from '#site/own-content.ts'
import type { FileKind } from '#site/source.ts'
import { faultsOf, type Publication } from '#server/site/published.ts'
import { type ContentValue, valueAt } from '#site/words/description.ts'
import { CommandError } from '#owner/acts/command-context.ts'

export interface WrittenDefaults {
  /** Files below content/. */
  written: string[]
  /** The files that only the desk can publish. */
  left: FileKind[]
}

/**
 * Makes a page the defaults: writes its texts into the sources of `folder`, and its files beside
 * them.
 */
export async function writeDefaults(
  folder: string,
  { content, files: given }: Omit<Publication, 'about'>,
): Promise<WrittenDefaults> {
  const { files, faults: faultsOfFiles } = readOwnFiles(given)
  const faults = [...faultsOfFiles, ...faultsOf({ content, files })]
  if (faults.length > 0) {
    throw new CommandError(faults.map(({ path, message }) => `${path}: ${message}`).join('\n'))
  }
  const wanted = ownContent({ difference: content, files })
  const paths = Object.keys(content.texts)
  if (files.script) paths.push('kit.script', 'releases')
  if (files.guide) paths.push('kit.guide')
  const written: string[] = []
  for (const name of new Set(paths.map((path) => path.split('.')[0]!))) {
    const file = await sourceOf(folder, name)
    let source = await readFile(join(folder, file), 'utf8')
    for (const path of paths.filter((one) => one === name || one.startsWith(`${name}.`))) {
      source = withValue(source, path.split('.'), valueAt(wanted, path) ?? '')
    }
    const options = await resolveConfig(join(import.meta.dirname, 'content.ts'))
    await writeFile(join(folder, file), await format(source, { ...options, parser: 'typescript' }))
    written.push(file)
  }
  const { script, guide, ...left } = files
  const kit = { [wanted.kit.script.name]: script, [wanted.kit.guide.name]: guide }
  await mkdir(join(folder, 'kit'), { recursive: true })
  for (const [name, own] of Object.entries(kit)) {
    if (!own) continue
    await writeFile(join(folder, 'kit', name), own.bytes)
    written.push(`kit/${name}`)
  }
  return { written, left: Object.keys(left) as FileKind[] }
}

/** The file that exports `name`: `landingPage` is in landing-page.ts. */
async function sourceOf(folder: string, name: string): Promise<string> {
  const wanted = `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`
  for await (const file of glob('**/*.ts', { cwd: folder })) {
    if (basename(file) === wanted) return file
  }
  throw new CommandError(`content/ has no ${wanted}.`)
}

/** Puts a value into the source of a file. The path begins with the name that the file exports. */
function withValue(source: string, [name, ...inside]: string[], value: ContentValue): string {
  let node = exported(parseAst(source, { lang: 'ts' }), name!)
  for (const [index, part] of inside.entries()) {
    const next = partOf(node, part)
    if (next) {
      node = next
      continue
    }
    const made = codeOf(inside.slice(index), value)
    if (node.type !== 'ObjectExpression') return replace(source, node, made)
    // An object has a name before this one. Formatting gives each a line of its own.
    const { end } = node.properties.at(-1)!
    return replace(source, { start: end, end }, `,${made.slice(1, -1)}`)
  }
  return replace(source, node, codeOf([], value))
}

function replace(source: string, { start, end }: { start: number; end: number }, by: string) {
  return source.slice(0, start) + by + source.slice(end)
}

/** `value` inside objects that have these names. */
function codeOf(names: readonly string[], value: ContentValue): string {
  let nested = value
  for (const name of names.toReversed()) nested = { [name]: nested }
  return JSON.stringify(nested)
}

function exported(program: ESTree.Program, name: string): ESTree.Expression {
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue
    if (statement.declaration?.type !== 'VariableDeclaration') continue
    for (const { id, init } of statement.declaration.declarations) {
      if (init && id.type === 'Identifier' && id.name === name) return withoutType(init)
    }
  }
  throw new CommandError(`content/ exports no ${name}.`)
}

/** The value of a name of an object, or of an index of a list. */
function partOf(node: ESTree.Expression, part: string): ESTree.Expression | undefined {
  if (node.type === 'ArrayExpression') {
    const entry = node.elements[Number(part)]
    return entry && entry.type !== 'SpreadElement' ? withoutType(entry) : undefined
  }
  if (node.type !== 'ObjectExpression') return undefined
  for (const property of node.properties) {
    if (property.type !== 'Property') continue
    const { key } = property
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? key.value : ''
    if (name === part) return withoutType(property.value)
  }
  return undefined
}

/** `[…] satisfies [string, string]` keeps its type. */
function withoutType(node: ESTree.Expression): ESTree.Expression {
  const isTyped = node.type === 'TSSatisfiesExpression' || node.type === 'TSAsExpression'
  return isTyped ? node.expression : node
}
