import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, untilListening } from '#rigs/listening.ts'
import { startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { root } from '#rigs/product.ts'
import { signUp } from '../drills/rig/load.ts'
import type { Outcome } from '../drills/rig/stage.ts'
import { makeDebian, needTools, run } from './tools.ts'

const user = 10_001
const graceMs = 10_000
const owner = ['/opt/starter-bot/start', 'owner']

/**
 * Builds the very Dockerfile on a base made from Debian packages, and runs the image as compose.yaml does: read-only, as a
 * user of its own, all data in a volume. People sign up and get their mail before it is stopped and after it was.
 */
export async function walkContainer(): Promise<Outcome> {
  needTools('buildah', 'podman', 'crun', 'mmdebstrap', 'unshare')
  const folder = await mkdtemp(join(tmpdir(), 'starter-bot-container-'))
  try {
    const startedAt = performance.now()
    await buildImage(folder)
    const builtIn = `built in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`
    const { broken, mails, notes } = await walk(folder)
    const counts = { acknowledged: 2, rows: 2, mails, duplicates: 0, lost: 2 - mails }
    return { counts, broken, notes: [builtIn, ...notes] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The base stands in for the public image of Node: Debian, this Node and npm. */
async function buildImage(folder: string): Promise<void> {
  const base = join(folder, 'base.tar')
  await makeDebian(base, ['ca-certificates', 'libatomic1'])
  const buildah = (...words: string[]) => run('buildah', [...storage(folder), ...words], root)
  const container = await buildah('from', 'scratch')
  const npm = join(realpathSync(await run('which', ['npm'])), '../..') // from its bin/npm-cli.js
  await buildah('add', container, base, '/')
  await buildah('copy', container, process.execPath, '/usr/local/bin/node')
  await buildah('copy', container, npm, '/usr/local/lib/node_modules/npm')
  const link = ['ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm']
  await buildah('run', '--isolation', 'chroot', container, ...link)
  await buildah('commit', '--rm', container, 'base')
  // The certificates of this machine, which may be behind a proxy that has its own.
  const certificates = ['--volume', '/etc/ssl/certs:/etc/ssl/certs:ro']
  const build = ['bud', '--format', 'docker', '--isolation', 'chroot', ...certificates]
  await buildah(...build, '--build-arg', 'BASE=localhost/base', '--tag', 'starter-bot', '.')
}

async function walk(folder: string) {
  const inbox = await startSmtpInbox()
  const port = await freePort()
  const volume = join(folder, 'volume')
  await mkdir(volume, { mode: 0o700 })
  const broken: string[] = []
  const check = (holds: boolean, fault: string) => void (holds || broken.push(fault))
  const settings = { PORT: String(port), PUBLIC_URL: `http://localhost:${port}`, SMTP_URL: inbox.url }

  const refused = startContainer(folder, volume, settings)
  await once(refused.child, 'close')
  check(
    refused.printed().includes('it must belong to the user 10001'),
    `no word on /data: ${refused.printed()}`,
  )
  await chown(volume, user, user)

  const notes: string[] = []
  for (const visitor of ['first@example.com', 'second@example.com']) {
    const { child, printed } = startContainer(folder, volume, settings)
    await untilListening(port, child, printed)
    check((await signUp(settings.PUBLIC_URL, visitor)).status === 200, `${visitor} could not sign up`)
    await inbox.arrival(1, visitor)
    const inside = (...words: string[]) => run(...podman(folder, 'exec', 'starter-bot', ...words))
    const list = await inside(...owner, 'subscribers', 'list')
    check(list.includes('first@example.com') && list.includes(visitor), `the list is: ${list}`)
    check((await inside('id', '-u')) === String(user), 'it runs as another user')
    const wrote = await inside('touch', '/opt/starter-bot/file').catch(() => undefined)
    check(wrote === undefined, 'it can write outside of /data')
    await run(...podman(folder, 'healthcheck', 'run', 'starter-bot')).catch(() =>
      check(false, 'it is not healthy'),
    )
    const stoppedIn = await stopContainer(folder, child)
    check(child.exitCode === 0 && stoppedIn < graceMs, `ended with ${child.exitCode} in ${stoppedIn} ms`)
    notes.push(`${visitor} signed up and got the mail; it stopped in ${stoppedIn} ms`)
  }
  await inbox.close()
  return { broken, notes, mails: inbox.mails.length }
}

function startContainer(folder: string, volume: string, settings: Record<string, string>) {
  const variables = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const limits = ['--cgroups=disabled', '--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024']
  const options = ['--network', 'host', '--read-only', '--cap-drop', 'ALL', '--volume', `${volume}:/data`]
  const container = ['run', '--rm', '--name', 'starter-bot', ...limits, ...options, ...variables]
  const child = spawn(...podman(folder, ...container, 'starter-bot'), { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part))
  return { child, printed: () => text }
}

/** Resolves to the ms until it had ended. */
async function stopContainer(folder: string, child: ChildProcess): Promise<number> {
  const startedAt = performance.now()
  const ended = once(child, 'close')
  await run(...podman(folder, 'stop', '--time', '30', 'starter-bot'))
  await ended
  return Math.round(performance.now() - startedAt)
}

/** crun takes only the newer kind of control groups, so podman sees those alone. */
function podman(folder: string, ...words: string[]): [command: string, words: string[]] {
  const script = `umount -R /sys/fs/cgroup; mount -t cgroup2 cgroup2 /sys/fs/cgroup; exec podman "$@"`
  const runtime = ['--runtime', 'crun', '--cgroup-manager=cgroupfs']
  return ['unshare', ['-m', 'sh', '-c', script, 'podman', ...storage(folder), ...runtime, ...words]]
}

/** Images and containers of the drill's own, gone with its folder. */
function storage(folder: string): string[] {
  return ['--storage-driver', 'vfs', '--root', join(folder, 'images'), '--runroot', join(folder, 'run')]
}
