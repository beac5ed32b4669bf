import { parseAst } from 'vite'

export interface SyntaxNode {
  type: string
  start: number
  end: number
  source?: unknown
}

/** Calls `act` for each node of the file's syntax tree, parents first. */
export function visitNodes(file: string, text: string, act: (node: SyntaxNode) => void): void {
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), act)
}

function visit(value: unknown, act: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) for (const one of value) visit(one, act)
  else if (isNode(value)) {
    act(value)
    for (const child of Object.values(value)) visit(child, act)
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
