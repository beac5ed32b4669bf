import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeExecutable } from '#build/release/write-executable.ts'
import { root } from '#rigs/product.ts'
import type { Outcome } from '../drills/rig/stage.ts'
import { makeDebian, needTools, run } from './tools.ts'

const units = ['starter-bot.service', 'starter-bot-backup.service', 'starter-bot-backup.timer']

/** Runs inside, where there is no curl. Ends by itself after each line of `result`. */
const walk = `#!/bin/bash
exec > /result 2>&1
request() { exec 3<>/dev/tcp/127.0.0.1/3000 && printf '%s' "$1" >&3 && timeout 5 cat <&3; }
body='{"email":"visitor@example.com"}'
for i in $(seq 100); do (: < /dev/tcp/127.0.0.1/3000) 2>/dev/null && break; sleep 0.1; done
answer=$(request $'POST /functions/v1/send-starter-bot-email HTTP/1.1\\r\\nhost: localhost:3000\\r\\norigin: http://localhost:3000\\r\\nauthorization: Bearer starter-bot-development-key\\r\\ncontent-type: application/json\\r\\nconnection: close\\r\\ncontent-length: '"\${#body}"$'\\r\\n\\r\\n'"$body")
[[ $answer == *'"success":true'* ]] && echo signed-up
systemctl start starter-bot-backup.service && ls /var/lib/starter-bot-backups | grep -q 'Z.db$' && echo backed-up
systemctl kill --signal=KILL starter-bot && sleep 4 && systemctl is-active --quiet starter-bot && echo restarted
[[ $(stat -c '%U %a' /var/lib/starter-bot/data/starter-bot.db) == 'starter-bot 600' ]] && echo private
systemctl is-active --quiet starter-bot-backup.timer && echo timer
systemctl stop starter-bot
[[ $(systemctl show -p Result -p ExecMainStatus starter-bot | sort | xargs) == 'ExecMainStatus=0 Result=success' ]] && echo stopped
[[ -z $(systemctl --failed --no-legend) ]] && echo none-failed
systemctl --failed --no-legend; journalctl --no-pager -u starter-bot -u starter-bot-backup | tail -30
`
const expected = ['signed-up', 'backed-up', 'restarted', 'private', 'timer', 'stopped', 'none-failed']

/** Boots a Debian whose only programs are its own and ours, and lets its systemd run the units of docs/operations. */
export async function runUnits(): Promise<Outcome> {
  needTools('mmdebstrap', 'systemd-nspawn', 'chroot', 'tar')
  const folder = await mkdtemp(join(tmpdir(), 'starter-bot-systemd-'))
  try {
    const machine = await makeMachine(folder)
    const startedAt = performance.now()
    await run('systemd-nspawn', ['--directory', machine, '--register=no', '--keep-unit', '--boot'])
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
    const result = existsSync(join(machine, 'result')) ? await readFile(join(machine, 'result'), 'utf8') : ''
    const said = result.split('\n')
    const missing = expected.filter((word) => !said.includes(word))
    return {
      counts: { acknowledged: 1, rows: 1, mails: 1, duplicates: 0, lost: 0 },
      broken: missing.length > 0 ? [`not seen: ${missing.join(', ')}\n${result}`] : [],
      notes: [`booted, ${expected.join(', ')}, and off after ${seconds} s`],
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function makeMachine(folder: string): Promise<string> {
  const machine = join(folder, 'machine')
  const system = join(machine, 'etc/systemd/system')
  await mkdir(machine)
  const packages = ['systemd', 'systemd-sysv', 'dbus', 'ca-certificates', 'libatomic1']
  await makeDebian(join(folder, 'debian.tar'), packages)
  await run('tar', ['-xf', join(folder, 'debian.tar'), '-C', machine])
  await copyFile(await writeExecutable(root, folder), join(machine, 'usr/local/bin/starter-bot'))
  for (const unit of units) await copyFile(join(root, 'docs/operations', unit), join(system, unit))
  await writeFile(join(machine, 'etc/starter-bot.env'), 'LIMIT_IP_PER_10_MIN=off\n', { mode: 0o600 })
  await writeFile(join(machine, 'etc/hosts'), '127.0.0.1 localhost\n') // which the installer of Debian would write
  await run('chroot', [machine, 'useradd', '--system', 'starter-bot'])
  await writeFile(join(machine, 'walk'), walk, { mode: 0o755 })
  const walkUnit =
    '[Service]\nType=oneshot\nTimeoutStartSec=90\nExecStart=/walk\nExecStopPost=/bin/systemctl poweroff\n'
  await writeFile(join(system, 'walk.service'), `[Unit]\nAfter=starter-bot.service\n${walkUnit}`)
  await mkdir(join(system, 'multi-user.target.wants'), { recursive: true })
  for (const unit of ['starter-bot.service', 'starter-bot-backup.timer', 'walk.service'])
    await symlink(join('..', unit), join(system, 'multi-user.target.wants', unit))
  return machine
}
