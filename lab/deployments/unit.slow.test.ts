import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { buildIfStale } from '#build/build-if-stale.ts'
import { writeArchive } from '#build/write-archive.ts'
import { reasonToSkip } from '#rigs/installed.ts'
import { freePort } from '#rigs/listening.ts'
import { root } from '#rigs/product.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { unpackDebian } from './debian.ts'

const lacks = reasonToSkip(['mmdebstrap', 'systemd-nspawn'], { root: true })

test('on a Debian with systemd the shipped units serve in their sandbox, start again after a kill, back up every night, are updated and restored as documented, and stop', async ({
  skip,
}) => {
  skip(lacks !== '', lacks)
  const machine = temporaryFolder()
  const port = await freePort()
  await setUp(machine, port)
  const boot = ['--quiet', '--boot', '--register=no', '--keep-unit', `--directory=${machine}`]
  spawnSync('systemd-nspawn', boot, { stdio: 'ignore' }) // it turns itself off
  const seen = JSON.parse(readFileSync(join(machine, 'seen.json'), 'utf8'))
  expect(seen).toEqual({
    ready: 200,
    desk: expect.stringContaining('/desk/start#'),
    user: 'starter-bot',
    writesItsProgram: false,
    data: 'starter-bot 700',
    doctor: expect.stringContaining('is intact'),
    afterKill: 200,
    restarts: 1,
    backups: 1,
    backupMode: 'starter-bot 600',
    timer: 'enabled',
    updated: ['', 200],
    restored: [expect.stringContaining('starter-bot.db is the backup now'), 200],
    stopped: 'success',
  })
})

/** Does what docs/operations/online.md says about a Linux machine. */
async function setUp(machine: string, port: number): Promise<void> {
  unpackDebian(machine)
  await buildIfStale()
  const program = join(machine, 'opt/starter-bot')
  mkdirSync(program)
  const archive = await writeArchive(temporaryFolder())
  execFileSync('tar', ['-xzf', archive, '--strip-components=1', '-C', program])
  cpSync(archive, join(machine, 'root', basename(archive)))
  const [, version = ''] = /starter-bot-(.*)\.tar\.gz/.exec(basename(archive)) ?? []
  const documented = {
    update: commandsIn('online.md', 'systemctl start starter-bot-backup').replaceAll(
      'VERSION',
      version,
    ),
    restore: commandsIn('trouble.md', 'owner restore FILE'),
  }
  writeFileSync(join(machine, 'documented.json'), JSON.stringify(documented))
  const units = globSync('docs/operations/starter-bot*', { cwd: root })
  for (const unit of units) {
    cpSync(join(root, unit), join(machine, 'etc/systemd/system', basename(unit)))
  }
  const environment = `HOST=127.0.0.1\nPORT=${port}\n`
  writeFileSync(join(machine, 'etc/starter-bot.env'), environment, { mode: 0o600 })
  writeFileSync(join(machine, 'look.mjs'), lookAround)
  writeFileSync(join(machine, 'etc/systemd/system/look.service'), lookUnit)
  const inside = (...words: string[]) => execFileSync('chroot', [machine, ...words])
  inside('useradd', '--system', 'starter-bot')
  inside('systemctl', '--quiet', 'enable', 'starter-bot', 'starter-bot-backup.timer', 'look')
}

/** The first block of a document with these words, without the lines that do not run on the machine. */
function commandsIn(document: string, words: string): string {
  const blocks = readFileSync(join(root, 'docs/operations', document), 'utf8').split('```')
  const lines = blocks.find((block) => block.startsWith('sh\n') && block.includes(words)) ?? ''
  const elsewhere = /^(?:sh$|npm |ssh )/
  return lines
    .split('\n')
    .filter((line) => !elsewhere.test(line))
    .join('\n')
}

const lookUnit = `
[Service]
Type=oneshot
ExecStart=/usr/local/bin/node /look.mjs
ExecStopPost=/bin/systemctl poweroff --no-block
[Install]
WantedBy=multi-user.target
`

/** Runs on the machine. */
const lookAround = String.raw`
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const port = /PORT=(\d+)/.exec(readFileSync('/etc/starter-bot.env', 'utf8'))[1]
const run = (command) => spawnSync('sh', ['-c', command], { encoding: 'utf8' })
const say = (command) => run(command).stdout.trim()
async function ready() {
  for (let look = 0; look < 600; look += 1) {
    const answer = await fetch('http://127.0.0.1:' + port + '/readyz').catch(() => undefined)
    if (answer?.ok) return answer.status
    await sleep(100)
  }
  return say('systemctl status starter-bot; journalctl --unit starter-bot')
}
const show = (property) => say('systemctl show --value --property ' + property + ' starter-bot')
const asServer = 'systemd-run --quiet --pipe --wait --uid=starter-bot --setenv=NODE_ENV=production --property=EnvironmentFile=/etc/starter-bot.env --working-directory=/var/lib/starter-bot '

const seen = { ready: await ready() }
seen.desk = say('journalctl --quiet --unit starter-bot --grep "^Desk"')
const pid = show('MainPID')
seen.user = say('stat --format=%U /proc/' + pid)
const touch = 'nsenter --target ' + pid + ' --mount touch /opt/starter-bot/x'
seen.writesItsProgram = run(touch).status === 0
seen.data = say('stat --format="%U %a" /var/lib/starter-bot/data')
seen.doctor = say(asServer + '/opt/starter-bot/start owner doctor')
run('kill -9 ' + pid)
await sleep(500)
seen.afterKill = await ready()
seen.restarts = Number(show('NRestarts'))
run('systemctl start starter-bot-backup.service')
seen.backups = Number(say('ls /var/lib/starter-bot-backups/*.db | wc -l'))
seen.backupMode = say('stat --format="%U %a" /var/lib/starter-bot-backups/*.db')
seen.timer = say('systemctl is-enabled starter-bot-backup.timer')
const { update, restore } = JSON.parse(readFileSync('/documented.json', 'utf8'))
seen.updated = [run('cd /root\n' + update).stderr, await ready()]
const [backup] = say('ls /var/lib/starter-bot-backups/*.db').split('\n')
// Without a terminal it asks nothing.
const restored = run(restore.replace('FILE', backup).replace('--pty', '--pipe'))
seen.restored = [restored.stdout + restored.stderr, await ready()]
run('systemctl stop starter-bot')
seen.stopped = show('Result')
writeFileSync('/seen.json', JSON.stringify(seen))
`
