import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { projectRoot } from './inputs.ts'

const sources = ['app', 'content', 'package.json', 'package-lock.json']

/** A copy of the project with another headline, for which nothing was drawn. */
function projectWithStaleArtwork(): string {
  const folder = temporaryFolder()
  for (const name of sources) {
    cpSync(join(projectRoot, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  const page = join(folder, 'content/pages/landing-page.ts')
  const text = readFileSync(page, 'utf8')
  expect(text).toContain('short enough to read.')
  writeFileSync(page, text.replace('short enough to read.', 'of another shape.'))
  return folder
}

test('artwork that is older than its source stops a release, and names what to run', () => {
  const folder = projectWithStaleArtwork()
  const { status, stderr } = spawnSync(process.execPath, ['app/build/release.ts'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(stderr).toContain('The artwork is older than what it is drawn from (share image).')
  expect(stderr).toContain('npm run artwork')
  expect(status).toBe(1)
})
