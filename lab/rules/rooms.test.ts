import { globSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const { imports }: { imports: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)

/** From a file to a file, or from a room to a room, each as its path below the root. */
interface Arrow {
  from: string
  to: string
}

/** From a room to a room of the same folder. */
interface RoomArrow extends Arrow {
  /** An import that makes it. */
  because: Arrow
}

test('no room imports one that imports it, also not by way of a third', () => {
  const sources = globSync(['*.ts', '{app,content,owner,lab}/**/*.{ts,tsx}'], { cwd: root })
    .map((path) => path.replaceAll(sep, '/'))
    .filter((path) => !/\.(?:test|e2e)\.tsx?$|node_modules/.test(path))
  const found = arrowsInCircles(sources.flatMap(importsOf))
  expect(found.map(({ because: { from, to } }) => `${from} imports ${to}`)).toEqual([])
})

test('two rooms that import each other by way of a third are found', () => {
  const found = arrowsInCircles([
    { from: 'app/site/mail/a.ts', to: 'app/site/pages/ui/b.ts' },
    { from: 'app/site/pages/c.ts', to: 'app/site/kit/d.ts' },
    { from: 'app/site/kit/e.ts', to: 'app/site/mail/f.ts' },
    { from: 'app/site/kit/e.ts', to: 'app/site/text/g.ts' },
    { from: 'owner/h.ts', to: 'app/site/mail/a.ts' },
  ])
  expect(found.map(({ from, to }) => `${from} → ${to}`)).toEqual([
    'app/site/mail → app/site/pages',
    'app/site/pages → app/site/kit',
    'app/site/kit → app/site/mail',
  ])
})

function importsOf(from: string): Arrow[] {
  const text = readFileSync(join(root, from), 'utf8')
  const named = text.matchAll(/(?:from|import\(?)\s*'([#.][^']+\.tsx?)'/g)
  return [...named].map(([, name = '']) => ({ from, to: pathOf(name, from) }))
}

/** The file that an import names. */
function pathOf(name: string, from: string): string {
  if (name.startsWith('.')) return join(dirname(from), name).replaceAll(sep, '/')
  const [alias = '', ...rest] = name.split('/')
  return join(imports[`${alias}/*`]!.replace('*', ''), ...rest).replaceAll(sep, '/')
}

function arrowsInCircles(all: readonly Arrow[]): RoomArrow[] {
  const arrows = all.flatMap(roomArrowOf)
  const byRoom = Map.groupBy(arrows, ({ from }) => from)
  const leadsTo = (from: string, to: string, seen: Set<string>): boolean => {
    if (from === to) return true
    if (seen.has(from)) return false
    seen.add(from)
    return (byRoom.get(from) ?? []).some((arrow) => leadsTo(arrow.to, to, seen))
  }
  const found = arrows.filter(({ from, to }) => leadsTo(to, from, new Set()))
  return [...new Map(found.map((arrow) => [`${arrow.from} ${arrow.to}`, arrow])).values()]
}

/** Nothing for an import within a room, and for one between a room and the folder around it. */
function roomArrowOf(because: Arrow): RoomArrow[] {
  const source = dirname(because.from).split('/')
  const target = dirname(because.to).split('/')
  const depth = source.findIndex((part, index) => part !== target[index])
  if (depth < 0 || depth >= target.length) return []
  const room = (path: string[]) => path.slice(0, depth + 1).join('/')
  return [{ from: room(source), to: room(target), because }]
}
