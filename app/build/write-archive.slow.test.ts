import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort, untilListening } from '#rigs/listening.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { buildIfStale } from './build-if-stale.ts'
import { writeArchive } from './write-archive.ts'

const root = join(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

// The first line of its start script is read by Linux and macOS.
describe.skipIf(process.platform === 'win32')('a release', () => {
  test('is one folder under 50 MB, and serves from it unchanged, with all data in the working directory', async () => {
    await buildIfStale()
    const archive = await writeArchive(temporaryFolder())
    const unpacked = temporaryFolder()
    execFileSync('tar', ['-xzf', archive, '-C', unpacked])
    const folder = join(unpacked, `starter-bot-${version}`)
    expect(globSync('*', { cwd: unpacked })).toEqual([`starter-bot-${version}`])
    const before = filesIn(folder)
    expect(before.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(50_000_000)
    expect(before.map(({ path }) => path)).toContain('dist/server/licences.md')
    await walk(join(folder, 'start'))
    expect(filesIn(folder)).toEqual(before)
  })

  test('has the same bytes whoever packs it, and belongs to root; others may read it alone', async () => {
    await buildIfStale()
    const open = await writeArchive(temporaryFolder())
    const umask = process.umask(0o077)
    onTestFinished(() => void process.umask(umask))
    const closed = await writeArchive(temporaryFolder())
    expect(readFileSync(closed).equals(readFileSync(open))).toBe(true)
    const list = execFileSync('tar', ['--numeric-owner', '-tvzf', closed], { encoding: 'utf8' })
    const kinds = list.trimEnd().replaceAll(/^(\S+ +\S+).*$/gm, '$1')
    expect(new Set(kinds.split('\n'))).toEqual(
      new Set(['drwxr-xr-x 0/0', '-rw-r--r-- 0/0', '-rwxr-xr-x 0/0']),
    )
    expect(list.match(/^-rwx.*$/gm)).toEqual([expect.stringMatching(/\/start$/)])
  })
})

/** Changes the page, the guide, the share picture and the icons. */
const ownContent = {
  format: 'starter-bot content 1',
  texts: { 'brand.name': 'Łódź Bot', 'palette.light.fast': '#a01070' },
  files: {},
}

/** Signs up, looks at the list, publishes a page of their own, and stops, as an owner on an empty machine would. */
async function walk(program: string): Promise<void> {
  const work = temporaryFolder()
  const port = await freePort()
  const { HOME, TMPDIR } = process.env
  const PATH = [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter)
  const options = { cwd: work, env: { PATH, HOME, TMPDIR, PORT: String(port), HOST: '127.0.0.1' } }
  const ask = (...words: string[]) => spawnSync(program, words, { ...options, encoding: 'utf8' })

  expect(ask('--version').stdout).toBe(`${version}\n`)
  expect(ask('--help').stdout).toContain('owner COMMAND')
  expect(ask('serve').status).toBe(2)

  const child = spawn(program, { ...options, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await untilListening(port, child)
  const page = await fetch(`http://127.0.0.1:${port}/`)
  expect(await page.text()).toContain('</html>')
  expect(await signUp(port)).toMatchObject({ success: true, alreadyExists: false })
  expect(ask('owner', 'subscribers', 'list').stdout).toContain('visitor@example.com')
  const content = join(temporaryFolder(), 'content.json')
  writeFileSync(content, JSON.stringify(ownContent))
  expect(ask('owner', 'content', 'import', content)).toMatchObject({ status: 0, stderr: '' })
  await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('Łódź')
  const doctor = ask('owner', 'doctor', '--json')
  expect(doctor).toMatchObject({ status: 0, stderr: '' })
  const findings: { id: string; state: string }[] = JSON.parse(doctor.stdout)
  expect(findings.find(({ id }) => id === 'database.answers')?.state).toBe('ok')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(globSync('*', { cwd: work })).toEqual(['data'])
}

async function signUp(port: number): Promise<unknown> {
  const url = `http://127.0.0.1:${port}`
  const answer = await fetch(`${url}/functions/v1/send-starter-bot-email`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer starter-bot-development-key',
      origin: url,
    },
    body: JSON.stringify({ email: 'visitor@example.com' }),
  })
  return answer.json()
}

function filesIn(folder: string) {
  return globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const { size, mtimeMs } = statSync(path)
      return { path: path.slice(folder.length + 1), size, mtimeMs }
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
