import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

const folder = join(import.meta.dirname, '../docs/operations')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
const hasNginx = spawnSync('nginx', ['-v']).status === 0
const hasCaddy = spawnSync('caddy', ['version']).status === 0

describe.each(['starter-bot.service', 'starter-bot-backup.service'])('%s', (unit) => {
  test('cannot write to the code and keeps its files to itself', () => {
    const lines = read(unit).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining(['ProtectSystem=strict', 'UMask=0077', 'StateDirectoryMode=0700']),
    )
    expect(lines.filter((line) => line.startsWith('ReadWritePaths='))).toEqual([])
  })

  test.skipIf(!hasSystemd)('(where systemd is installed) has an exposure of at most 2.5', () => {
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', join(folder, unit)], {
      encoding: 'utf8',
    })
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? []
    expect(Number(exposure)).toBeLessThanOrEqual(2.5)
  })
})

test.skipIf(!existsSync('/bin/sh'))(
  '(where there is a shell) the backup unit removes unfinished backups, and no other',
  () => {
    const backups = temporaryFolder()
    const unfinished = ['2026-11-20.db.unfinished', '2026-11-20.db.unfinished-journal']
    for (const name of ['2026-11-19.db', ...unfinished]) writeFileSync(join(backups, name), '')
    const clear = () => runInShell(lineOf('ExecStartPre'), backups)
    expect(clear()).toMatchObject({ status: 0, stderr: '' })
    expect(readdirSync(backups)).toEqual(['2026-11-19.db'])
    expect(clear()).toMatchObject({ status: 0, stderr: '' })
  },
)

describe('the proxies', () => {
  test('keep personal links and receipts out of their logs', () => {
    expect(read('nginx.conf').match(/^\taccess_log .* if=\$is_logged;$/gm)).toHaveLength(2)
    expect(read('nginx.conf')).toContain('\t~^/(?:kit|receipts)/ 0;')
    expect(read('nginx.conf')).toMatch(/location ~ \^\/\(\?:kit\|receipts\)\/ \{[^}]*error_log \/dev\/null;/)
    expect(read('Caddyfile')).toMatch(/^\tskip_log \/kit\/\* \/receipts\/\*$/m)
    expect(read('Caddyfile')).toContain('request>uri delete')
  })

  test.skipIf(!hasNginx)('(where nginx is installed) nginx accepts its file', () => {
    const temporary = temporaryFolder()
    const certificate = ['-keyout', 'key.pem', '-out', 'certificate.pem', '-subj', '/CN=starter.example.com']
    spawnSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...certificate],
      {
        cwd: temporary,
      },
    )
    const site = read('nginx.conf')
      .replaceAll(
        '/etc/letsencrypt/live/starter.example.com/fullchain.pem',
        join(temporary, 'certificate.pem'),
      )
      .replaceAll('/etc/letsencrypt/live/starter.example.com/privkey.pem', join(temporary, 'key.pem'))
      .replaceAll('/var/log/nginx/', `${temporary}/`)
    const whole = `pid ${temporary}/pid; error_log ${temporary}/error.log; events {} http { ${site} }`
    writeFileSync(join(temporary, 'nginx.conf'), whole)
    expect(spawnSync('nginx', ['-t', '-c', join(temporary, 'nginx.conf')]).status).toBe(0)
  })

  test.skipIf(!hasCaddy)('(where Caddy is installed) Caddy accepts its file', () => {
    const file = join(temporaryFolder(), 'Caddyfile')
    writeFileSync(file, read('Caddyfile').replace('/var/log/caddy', temporaryFolder()))
    const { status } = spawnSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', file])
    expect(status).toBe(0)
  })
})

/** As systemd hands it to the shell. */
function lineOf(setting: string): string {
  const [, line = ''] =
    new RegExp(`^${setting}=/bin/sh -c '(.*)'$`, 'm').exec(read('starter-bot-backup.service')) ?? []
  return line.replaceAll('$$', '$').replaceAll('%%', '%')
}

function runInShell(line: string, backups: string) {
  return spawnSync('/bin/sh', ['-c', line], { env: { ...process.env, BACKUPS: backups }, encoding: 'utf8' })
}
