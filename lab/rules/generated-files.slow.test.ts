import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '#rigs/product.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

const artwork = 'app/site/artwork'

/** A repository with our .gitattributes, in which `npm run artwork` has run. */
function makeRepository() {
  const folder = temporaryFolder()
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...words], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'merge.ours.driver', 'true')
  cpSync(join(root, '.gitattributes'), join(folder, '.gitattributes'))
  const write = (files: Record<string, string | Buffer>) => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), content)
    }
  }
  return {
    git,
    read: (name: string) => readFileSync(join(folder, name)),
    commit(files: Record<string, string | Buffer>) {
      write(files)
      git('add', '--all')
      git('commit', '--quiet', '--message', 'Draw')
    },
  }
}

/** The files that `npm run artwork` writes: pictures, and the list of what they were drawn from. */
function drawn(mark: number): Record<string, string | Buffer> {
  return {
    [`${artwork}/og.png`]: Buffer.from([0x89, 0x50, 0, mark]),
    [`${artwork}/setup-guide.pdf`]: Buffer.from([0x25, 0, mark]),
    [`${artwork}/drawn-from.json`]: `{\n  "guide": "${mark}"\n}\n`,
  }
}

test('a pull of newly drawn artwork into newly drawn artwork has no conflict, and keeps ours', () => {
  const { git, read, commit } = makeRepository()
  commit({ ...drawn(0), 'content/brand.ts': 'theirs and ours\n' })
  git('checkout', '--quiet', '-b', 'upstream')
  commit({ ...drawn(1), [`${artwork}/fonts/new.ttf`]: Buffer.from([1]), 'server.ts': 'new\n' })
  git('checkout', '--quiet', 'main')
  commit({ ...drawn(2), [`${artwork}/fonts/new.ttf`]: Buffer.from([2]) })
  git('merge', '--no-edit', 'upstream')
  expect(git('status', '--porcelain')).toBe('')
  for (const [name, content] of Object.entries(drawn(2))) {
    expect(read(name)).toEqual(Buffer.from(content))
  }
  expect(read('server.ts').toString()).toBe('new\n')
})

test('artwork that only the other side has drawn is taken', () => {
  const { git, read, commit } = makeRepository()
  commit(drawn(0))
  git('checkout', '--quiet', '-b', 'upstream')
  commit(drawn(1))
  git('checkout', '--quiet', 'main')
  commit({ 'content/brand.ts': 'ours\n' })
  git('merge', '--no-edit', 'upstream')
  expect(read(`${artwork}/og.png`)).toEqual(drawn(1)[`${artwork}/og.png`])
})
