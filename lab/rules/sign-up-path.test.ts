import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const maxFiles = 18
const walk = filesOfWalk()

test(`README's walk of one sign-up names at most ${maxFiles} files, and each exists`, () => {
  expect(walk.length).toBeLessThanOrEqual(maxFiles)
  expect(walk.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test.each([
  ['app/site/pages/sign-up/sign-up-form.tsx', 'app/contract/sign-up.ts'],
  ['app/server/routes/sign-up.ts', 'app/contract/email-address.ts'],
  ['app/server/routes/sign-up.ts', 'app/server/subscribers/subscribers.ts'],
  ['app/server/routes/sign-up.ts', 'app/server/deliveries/deliveries.ts'],
  ['app/server/deliveries/worker.ts', 'app/site/mail/compose-mail.ts'],
])('plain imports lead through files of the walk from %s to %s', (from, to) => {
  const reached = new Set([from])
  for (const file of reached) {
    const source = readFileSync(join(root, file), 'utf8')
    for (const next of walk) if (source.includes(`/${basename(next)}'`)) reached.add(next)
  }
  expect([...reached]).toContain(to)
})

/** The files linked in the numbered list, in order; its folders are left out. */
function filesOfWalk(): string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, section = ''] = readme.split('## Follow one sign-up through the code')
  const [list = ''] = section.split('\n## ')
  const links = Array.from(list.matchAll(/\]\(([^)]+\.tsx?)\)/g), ([, link = '']) => link)
  return [...new Set(links)]
}
