import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isTest, readFigures, ringOf } from './figures.ts'
import { findCycles, importsOf, importsOfTrackedFiles, root } from './imports.ts'

/** Those of lines leave room for a small change. One that has to go up needs a decision in docs/decisions/. */
const limits = {
  linesPerRing: { app: 14_800, owner: 12_200, lab: 7_000 },
  siblings: 12,
  functionLines: 40,
  functionLinesWithJsx: 60,
  lonelyFiles: 17,
}

const figures = readFigures()
const imports = importsOfTrackedFiles()

test.each(Object.entries(limits.linesPerRing))(
  'the ring %s has at most %i lines without tests',
  (ring, most) => {
    expect(figures.rings[ring as keyof typeof figures.rings].lines).toBeLessThanOrEqual(most) // the keys are the rings
  },
)

test('no folder has more entries than allowed', () => {
  expect(figures.siblings.filter(({ count }) => count > limits.siblings)).toEqual([])
})

test('no function has more lines than allowed', () => {
  const limitOf = (hasJsx: boolean) => (hasJsx ? limits.functionLinesWithJsx : limits.functionLines)
  expect(figures.functions.filter(({ lines, hasJsx }) => lines > limitOf(hasJsx))).toEqual([])
})

test('few files under 40 lines have exactly one importer', () => {
  expect(figures.lonely.length).toBeLessThanOrEqual(limits.lonelyFiles)
})

describe('imports', () => {
  test('run from lab to owner to app, never back', () => {
    const rank = { app: 0, owner: 1, lab: 2 }
    const backwards = listImports().filter(
      ([file, imported]) =>
        !isTest(file) && rank[ringOf(imported)] > rank[ringOf(file)] && !/^(?:start|server)\.ts$/.test(file),
    )
    expect(backwards).toEqual([])
  })

  test('leave content/ and app/contract/ without a module of ours', () => {
    const rooms = /^(?:content|app\/contract)\//
    const outside = listImports().filter(
      ([file, imported]) => !isTest(file) && rooms.test(file) && !rooms.test(imported),
    )
    expect(outside).toEqual([])
  })

  test('have no cycles, types included', () => {
    expect(figures.cycles).toEqual([])
  })

  test('of types alone count as imports, and a cycle of them is found', () => {
    const sources = new Map([
      ['app/a.ts', `import type { B } from './b.ts'`],
      ['app/b.ts', `export type { C } from '#server/c.ts'`],
      ['app/server/c.ts', `export type A = import('../a.ts').A`],
    ])
    expect(findCycles(importsOf(sources))).toEqual([['app/a.ts', 'app/b.ts', 'app/server/c.ts']])
  })
})

describe("README's walk of one sign-up", () => {
  const walk = filesOfWalk()

  test('has at most twelve files, and all of them exist', () => {
    expect(walk.length).toBeLessThanOrEqual(12)
    expect(walk.filter((file) => !imports.has(file))).toEqual([])
  })

  test('leads from form and contract through endpoint, deliveries and mail to the personal page', () => {
    const rooms = [
      'pages/sign-up/',
      'contract/',
      'server/sign-up/',
      'server/deliveries/',
      'mail/',
      'server/transports/',
    ]
    const places = rooms.map((room) => walk.findIndex((file) => file.startsWith(`app/${room}`)))
    expect(places).toEqual([...places].toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
    expect(walk.at(-1)).toBe('app/server/personal-page/personal-page-endpoint.ts')
  })

  // No import leads to the last file: the visitor follows the link in the mail.
  test.each(
    walk.slice(1, -1).map((file, index) => [file, walk.slice(Math.max(0, index - 1), index + 1)] as const),
  )('%s follows from the files before it by an import', (file, before) => {
    expect(before.some((one) => areLinked(one, file))).toBe(true)
  })
})

/** One imports the other, or both import the interface of transports. */
function areLinked(one: string, other: string): boolean {
  const imported = [one, other].map((file) => imports.get(file) ?? new Set<string>())
  return (
    imported[0]!.has(other) ||
    imported[1]!.has(one) ||
    imported.every((all) => all.has('app/server/transports/mailer.ts'))
  )
}

function listImports(): [file: string, imported: string][] {
  return [...imports].flatMap(([file, all]) => [...all].map((one): [string, string] => [file, one]))
}

/** The files linked in README's numbered list, in order; its folders are left out. */
function filesOfWalk(): string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, section = ''] = readme.split('## Follow one sign-up through the code')
  const [list = ''] = section.split('\n## ')
  const steps = list.split('\n').filter((line) => /^\d+\. /.test(line))
  const links = steps.flatMap((step) => Array.from(step.matchAll(/\]\(([^)]+)\)/g), ([, link = '']) => link))
  return links.filter((link) => /\.tsx?$/.test(link))
}
