import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildIfStale } from '#build/build-if-stale.ts'
import { writeArchive } from '#build/write-archive.ts'
import { copyOfClone } from '#rigs/copy-of-clone.ts'
import { freePort, untilListening } from '#rigs/listening.ts'
import { isLinuxX64, newestNode, oldestNode, oldestNodeHere, programOf } from '#rigs/nodes.ts'
import { root } from '#rigs/product.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** "nobody", who may write nothing but a folder that is given to them. */
const stranger = 65_534

/** Where the release is packed from what was built here. */
const shelf = mkdtempSync(join(tmpdir(), 'starter-bot-release-'))
let release: string
beforeAll(async () => {
  await buildIfStale()
  release = await writeArchive(shelf)
})
afterAll(() => rmSync(shelf, { recursive: true, force: true }))

test('a release packed here and one from a clean clone with another umask and the oldest Node have the same bytes; it belongs to root, and others may read it alone', async () => {
  const closed = await packFromClean()
  expect(readFileSync(closed).equals(readFileSync(release))).toBe(true)
  const list = execFileSync('tar', ['--numeric-owner', '-tvzf', closed], { encoding: 'utf8' })
  const kinds = list.trimEnd().replaceAll(/^(\S+ +\S+).*$/gm, '$1')
  expect(new Set(kinds.split('\n'))).toEqual(
    new Set(['drwxr-xr-x 0/0', '-rw-r--r-- 0/0', '-rwxr-xr-x 0/0']),
  )
  expect(list.match(/^-rwx.*$/gm)).toEqual([expect.stringMatching(/\/start$/)])
})

test.skipIf(!isLinuxX64)(
  '(on Linux x64) a release of less than 50 MB runs by the oldest and the newest Node for a user who cannot write its folder, and all data is in the working directory',
  async () => {
    const unpacked = openFolder()
    execFileSync('tar', ['-xzf', release, '-C', unpacked])
    expect(globSync('*', { cwd: unpacked })).toEqual([`starter-bot-${version}`])
    const program = join(unpacked, `starter-bot-${version}`)
    const before = filesIn(program)
    expect(before.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(50_000_000)
    expect(before.map(({ path }) => path)).toContain('dist/server/licences.md')
    for (const node of [oldestNode, newestNode]) {
      const bin = openFolder() // the clone may be below a home that nobody else may enter
      copyFileSync(await programOf(node), join(bin, 'node'))
      await walk(join(program, 'start'), bin)
    }
    expect(filesIn(program)).toEqual(before)
  },
)

/** Builds and packs in a clone without dist/. Returns the archive. */
async function packFromClean(): Promise<string> {
  const clone = copyOfClone()
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }))
  rmSync(join(clone, 'dist'), { recursive: true })
  for (const name of ['CHANGELOG.md', '.env.example', '.npmrc']) {
    copyFileSync(join(root, name), join(clone, name))
  }
  const pack = 'umask 077 && exec "$0" run.mjs app/build/release.ts'
  execFileSync('sh', ['-c', pack, await oldestNodeHere()], { cwd: clone })
  return join(clone, `release/starter-bot-${version}.tar.gz`)
}

/** A folder that anybody may read. */
function openFolder(): string {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  return folder
}

/** Changes the page, the guide, the share picture and the icons. */
const ownContent = {
  format: 'starter-bot content 1',
  texts: { 'brand.name': 'Łódź Bot', 'palette.light.fast': '#a01070' },
  files: {},
}

/** Signs up, looks for the person, publishes an own page, and stops, as on an empty machine. */
async function walk(program: string, bin: string): Promise<void> {
  const work = openFolder()
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(work, stranger, stranger)
  const port = await freePort()
  const PATH = [bin, '/usr/bin', '/bin'].join(delimiter)
  const options = {
    cwd: work,
    env: { PATH, HOME: work, PORT: String(port), HOST: '127.0.0.1' },
    ...(isRoot && { uid: stranger, gid: stranger }),
  }
  const ask = (...words: string[]) => spawnSync(program, words, { ...options, encoding: 'utf8' })

  expect(ask('--version')).toMatchObject({ stdout: `${version}\n`, stderr: '' })
  expect(ask('--help').stdout).toContain('owner COMMAND')
  expect(ask('serve').status).toBe(2)

  const child = spawn(program, { ...options, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await untilListening(port, child)
  const page = await fetch(`http://127.0.0.1:${port}/`)
  expect(await page.text()).toContain('</html>')
  expect(await signUp(port)).toMatchObject({ success: true, alreadyExists: false })
  const find = ask('owner', 'subscribers', 'find', 'visitor@example.com')
  expect(find.stdout).toContain('visitor@example.com')
  const content = join(work, 'content.json')
  writeFileSync(content, JSON.stringify(ownContent))
  expect(ask('owner', 'content', 'import', content)).toMatchObject({ status: 0, stderr: '' })
  await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('Łódź')
  const doctor = ask('owner', 'doctor', '--json')
  expect(doctor).toMatchObject({ status: 0, stderr: '' })
  const conditions: { id: string; severity: string }[] = JSON.parse(doctor.stdout)
  expect(conditions.find(({ id }) => id === 'database.answers')?.severity).toBe('fine')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(globSync('*', { cwd: work }).toSorted()).toEqual(['content.json', 'data'])
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
