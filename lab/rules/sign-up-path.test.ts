import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const maxFiles = 18
const walk = filesOfWalk()

test(`README's walk of one sign-up names at most ${maxFiles} files, and each exists`, () => {
  expect(walk.length).toBeLessThanOrEqual(maxFiles)
  expect(walk.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

/** The files linked in the numbered list, in order; its folders are left out. */
function filesOfWalk(): string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, section = ''] = readme.split('## Follow one sign-up through the code')
  const [list = ''] = section.split('\n## ')
  const links = Array.from(list.matchAll(/\]\(([^)]+\.tsx?)\)/g), ([, link = '']) => link)
  return [...new Set(links)]
}
