import { execFileSync, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { cpSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '#rigs/listening.ts'
import { root } from '#rigs/product.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { cachedFolder, unpackDebian } from './debian.ts'
import { isInstalled, reasonToSkip, toolsPath } from './installed.ts'

const lacks = reasonToSkip(['mmdebstrap', 'buildah', 'podman', 'npm'], { root: true })
/** Half of what compose.yaml allows, as at the hosts whose templates are shipped. */
const memory = '512m'

test('the image serves without a right to write but on its volume, is healthy, stops at SIGTERM, an update shows the published page, and a backup is copied in and restored as documented', async ({
  skip,
}) => {
  skip(lacks !== '', lacks)
  const image = buildImage()
  const volume = newVolume()
  const container = runContainer(image, await freePort(), volume)
  await expect.poll(container.isReady).toBe(true)
  expect(container.run('id', '-u').trim()).toBe('10001')
  expect(container.fails('touch', '/x')).toContain('Read-only')
  expect(container.run('stat', '-c', '%u %a', '/data').trim()).toBe('10001 700')
  expect(podman('healthcheck', 'run', container.name).trim()).toBe('')
  container.run('sh', '-c', `cat > /data/page.json <<'END'\n${JSON.stringify(ownContent)}\nEND`)
  container.run('/opt/starter-bot/start', 'owner', 'content', 'import', '/data/page.json')
  await expect.poll(container.page).toContain('Łódź Bot')
  expect(container.stop()).toBe(0)

  const updated = runContainer(image, container.port, volume)
  await expect.poll(updated.isReady).toBe(true)
  expect(await updated.page()).toContain('Łódź Bot')

  updated.run('/opt/starter-bot/start', 'owner', 'backup', '/data/backup.db')
  const backup = join(temporaryFolder(), 'backup.db')
  podman('cp', `${updated.name}:/data/backup.db`, backup)
  const copyIn = ['exec', '--interactive', updated.name, 'sh', '-c', 'cat > /data/restore.db']
  expect(podmanResult(copyIn, readFileSync(backup)).status).toBe(0)
  expect(updated.stop()).toBe(0)
  const restore = ['run', '--rm', ...limits, `--volume=${volume}:/data`, image]
  expect(podman(...restore, 'owner', 'restore', '/data/restore.db')).toContain('is the backup now')
  podman('start', updated.name)
  await expect.poll(updated.isReady).toBe(true)
})

/** Changes the page, the guide, the share picture and the icons. */
const ownContent = {
  format: 'starter-bot content 1',
  texts: { 'brand.name': 'Łódź Bot', 'palette.light.fast': '#a01070' },
  files: {},
}

/** Builds by the shipped Dockerfile, on a bare Debian that stands in for its base. */
function buildImage(): string {
  // Podman's own notes name the folder of the clone, which may have moved.
  rmSync(join(cachedFolder('images'), 'libpod'), { recursive: true, force: true })
  const base = `localhost/starter-bot-base:${process.versions.node}`
  if (podmanResult(['image', 'exists', base]).status !== 0) makeBase(base)
  const image = 'localhost/starter-bot-test'
  const options = ['--quiet', '--layers', '--format=docker', `--build-arg=BASE=${base}`]
  buildah('build', ...options, `--tag=${image}`, root)
  podman('image', 'prune', '--force', '--filter=until=24h') // what earlier runs made
  return image
}

function makeBase(name: string): void {
  const container = buildah('from', 'scratch').trim()
  const folder = buildah('mount', container).trim()
  unpackDebian(folder)
  const npm = dirname(dirname(realpathSync(whereIs('npm'))))
  cpSync(npm, join(folder, 'usr/local/lib/npm'), { recursive: true, dereference: true })
  symlinkSync('../lib/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm'))
  const trusted = '/etc/ssl/certs/ca-certificates.crt'
  cpSync(trusted, join(folder, trusted))
  buildah('commit', '--quiet', '--rm', container, name)
}

/** An empty one, which goes when the test ends: the storage stays for the next run. */
function newVolume(): string {
  const name = podman('volume', 'create').trim()
  onTestFinished(() => void podman('volume', 'rm', '--force', name))
  return name
}

function runContainer(image: string, port: number, volume: string) {
  const name = `starter-bot-${port}-${(started += 1)}`
  podman(
    'run',
    '--detach',
    `--name=${name}`,
    ...limits,
    `--volume=${volume}:/data`,
    ...settings(port),
    image,
  )
  onTestFinished(() => void podman('rm', '--force', name))
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  return {
    name,
    port,
    isReady: async () => (await get('/readyz').catch(() => undefined))?.ok ?? false,
    page: async () => (await get('/')).text(),
    run: (...words: string[]) => podman('exec', name, ...words),
    fails: (...words: string[]) => podmanResult(['exec', name, ...words]).stderr,
    stop() {
      podman('stop', '--time=10', name)
      return Number(podman('inspect', '--format={{.State.ExitCode}}', name))
    },
  }
}
let started = 0

/** As in compose.yaml. Without the two last, the default limits may be above this machine's. */
const limits = [
  '--network=host',
  '--read-only',
  '--tmpfs=/tmp',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  `--memory=${memory}`,
  '--ulimit=nofile=1024:1024',
  '--ulimit=nproc=1024:1024',
]

/** Not production, where the page is held back until an owner opens it. */
function settings(port: number): string[] {
  return [`PORT=${port}`, 'HOST=127.0.0.1', 'NODE_ENV=development'].map((one) => `--env=${one}`)
}

/** Images stay for the next run, whose layers are then there. */
function storage(): string[] {
  // Podman refuses a longer path than 50 characters for what it runs, and two clones in one folder
  // would lose count of what each has mounted.
  const runs = join(tmpdir(), `starter-bot-podman-${hash('sha1', root).slice(0, 8)}`)
  return [`--root=${cachedFolder('images')}`, `--runroot=${runs}`]
}

function buildah(...words: string[]): string {
  const env = { ...process.env, PATH: toolsPath, BUILDAH_ISOLATION: 'chroot' }
  return execFileSync('buildah', [...storage(), ...words], { encoding: 'utf8', env })
}

function podman(...words: string[]): string {
  const { status, stdout, stderr } = podmanResult(words)
  if (status !== 0) throw new Error(`podman ${words.join(' ')}: ${stderr}`)
  return stdout
}

function podmanResult(words: string[], input: string | Buffer = '') {
  const runtime = isInstalled('runc') ? ['--runtime=runc'] : []
  const options = ['--cgroup-manager=cgroupfs', '--events-backend=none', ...runtime]
  return spawnSync('podman', [...storage(), ...options, ...words], { encoding: 'utf8', input })
}

function whereIs(program: string): string {
  return execFileSync('which', [program], { encoding: 'utf8' }).trim()
}
