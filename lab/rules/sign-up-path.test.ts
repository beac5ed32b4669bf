import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const maxFiles = 18
const walk = filesOfWalk()

test(`README's walk of one sign-up names at most ${maxFiles} files, and each exists`, () => {
  expect(walk.length).toBeLessThanOrEqual(maxFiles)
  expect(walk.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test('the route of a sign-up reaches at most 60 files and 4,500 lines through imports', () => {
  const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const reached = new Map([['app/server/routes/sign-up.ts', 0]])
  for (const file of reached.keys()) {
    const source = readFileSync(join(root, file), 'utf8')
    reached.set(file, source.split('\n').length)
    for (const [, from = ''] of source.matchAll(/ from '([^']+\.tsx?)'/g)) {
      const [room = '', ...path] = from.split('/')
      const folder = from.startsWith('#') ? imports[`${room}/*`].replace('*', '') : dirname(file)
      const next = join(folder, from.startsWith('#') ? path.join('/') : from)
      if (!reached.has(next)) reached.set(next, 0)
    }
  }
  const lines = [...reached.values()].reduce((sum, count) => sum + count, 0)
  expect({ files: reached.size, lines }).toEqual({
    files: expect.toSatisfy((files: number) => files > 20 && files <= 60),
    lines: expect.toSatisfy((all: number) => all <= 4_500),
  })
})

/** The files linked in the numbered list, in order; its folders are left out. */
function filesOfWalk(): string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, section = ''] = readme.split('## Follow one sign-up through the code')
  const [list = ''] = section.split('\n## ')
  const links = Array.from(list.matchAll(/\]\(([^)]+\.tsx?)\)/g), ([, link = '']) => link)
  return [...new Set(links)]
}
