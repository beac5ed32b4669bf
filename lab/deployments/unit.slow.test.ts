import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { buildIfStale } from '#build/build-if-stale.ts'
import { writeArchive } from '#build/write-archive.ts'
import { freePort } from '#rigs/listening.ts'
import { root } from '#rigs/product.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { unpackDebian } from './debian.ts'
import { reasonToSkip } from './installed.ts'

const lacks = reasonToSkip(['mmdebstrap', 'systemd-nspawn'], { root: true })

test('on a Debian with systemd the shipped units are installed, updated and restored as documented, serve in their sandbox, start again after a kill, back up every night, and stop', async ({
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
    backupsKept: true,
    backupMode: 'starter-bot 600',
    timer: 'enabled',
    updated: ['', 200],
    restored: [expect.stringContaining('starter-bot.db is the backup now'), 200],
    stopped: 'success',
  })
})

/** Puts into the home of root what docs/operations/online.md copies to a Linux machine. */
async function setUp(machine: string, port: number): Promise<void> {
  unpackDebian(machine)
  await buildIfStale()
  const home = join(machine, 'root')
  const archive = await writeArchive(temporaryFolder())
  const shipped = globSync('docs/operations/{starter-bot*,Caddyfile}', { cwd: root })
  for (const file of [archive, ...shipped]) cpSync(resolve(root, file), join(home, basename(file)))
  writeFileSync(join(home, '.env'), `HOST=127.0.0.1\nPORT=${port}\n`)
  mkdirSync(join(machine, 'etc/caddy'))
  const [, version = ''] = /starter-bot-(.*)\.tar\.gz/.exec(basename(archive)) ?? []
  const documented = {
    install: commandsIn('online.md', 'useradd').replace(' && systemctl restart caddy', ''),
    update: commandsIn('online.md', 'VERSION').replaceAll('VERSION', version),
    restore: commandsIn('trouble.md', 'owner restore FILE'),
  }
  writeFileSync(join(machine, 'documented.json'), JSON.stringify(documented))
  writeFileSync(join(machine, 'look.mjs'), lookAround)
  writeFileSync(join(machine, 'etc/systemd/system/look.service'), lookUnit)
  execFileSync('chroot', [machine, 'systemctl', '--quiet', 'enable', 'look'])
}

/** The first block of commands with these words: all of it, or what follows `ssh`. */
function commandsIn(document: string, words: string): string {
  const blocks = readFileSync(join(root, 'docs/operations', document), 'utf8').split('```')
  const block = blocks.find((one) => one.startsWith('sh\n') && one.includes(words)) ?? ''
  const [all = '', afterSsh] = block.slice('sh\n'.length).split(/^ssh .*\n/m)
  return afterSsh ?? all
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

const port = /PORT=(\d+)/.exec(readFileSync('/root/.env', 'utf8'))[1]
const run = (command) => spawnSync('sh', ['-c', command], { encoding: 'utf8', cwd: '/root' })
const say = (command) => run(command).stdout.trim()
async function ready() {
  for (let look = 0; look < 3_000; look += 1) {
    const answer = await fetch('http://127.0.0.1:' + port + '/readyz').catch(() => undefined)
    if (answer?.ok) return answer.status
    await sleep(100)
  }
  return say('systemctl status starter-bot; journalctl --unit starter-bot')
}
const show = (property) => say('systemctl show --value --property ' + property + ' starter-bot')
const asServer = 'systemd-run --quiet --pipe --wait --uid=starter-bot --setenv=NODE_ENV=production --property=EnvironmentFile=/etc/starter-bot.env --working-directory=/var/lib/starter-bot '

const { install, update, restore } = JSON.parse(readFileSync('/documented.json', 'utf8'))
const seen = { desk: say(install), ready: await ready() }
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
run('for backup in 1 2; do systemctl start starter-bot-backup.service; done')
// One more if it is 03:17.
seen.backupsKept = Number(say('ls /var/lib/starter-bot-backups/*.db | wc -l')) >= 2
seen.backupMode = say('stat --format="%U %a" /var/lib/starter-bot-backups/*.db | uniq')
seen.timer = say('systemctl is-enabled starter-bot-backup.timer')
seen.updated = [run(update).stderr, await ready()]
const [backup] = say('ls /var/lib/starter-bot-backups/*.db').split('\n')
// Without a terminal it asks nothing.
const restored = run(restore.replace('FILE', backup).replace('--pty', '--pipe'))
seen.restored = [restored.stdout + restored.stderr, await ready()]
run('systemctl stop starter-bot')
seen.stopped = show('Result')
writeFileSync('/seen.json', JSON.stringify(seen))
`
