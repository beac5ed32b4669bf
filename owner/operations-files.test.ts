import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

const folder = join(import.meta.dirname, '../docs/operations')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

describe.each(['starter-bot.service', 'starter-bot-backup.service'])('%s', (unit) => {
  test('cannot write to the code and keeps its files to itself', () => {
    const lines = read(unit).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining(['ProtectSystem=strict', 'UMask=0077', 'StateDirectoryMode=0700']),
    )
    expect(lines.filter((line) => line.startsWith('ReadWritePaths='))).toEqual([])
  })
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!hasSystemd)('(where there is systemd) it understands every line of the units', () => {
  const units = temporaryFolder()
  const names = readdirSync(folder).filter((name) => name.startsWith('starter-bot'))
  for (const name of names) {
    // The release is not installed here.
    const text = read(name).replaceAll('/opt/starter-bot/start', '/bin/true')
    writeFileSync(join(units, name), text)
  }
  const paths = names.map((name) => join(units, name))
  const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], {
    encoding: 'utf8',
  })
  expect(stderr.split('\n').filter((line) => line.startsWith(units))).toEqual([])
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

// The other files of proxies are run by lab/deployments/proxies.slow.test.ts.
test('the proxy of compose.yaml lets 40 MB through to the desk alone, and logs no personal link', () => {
  const file = read('Caddyfile.compose')
  expect(file).toMatch(/@desk path \/desk\/api\/\*\n\trequest_body @desk \{\n\t\tmax_size 40MB/)
  expect(file).toContain('request>uri delete')
})

describe('compose.yaml', () => {
  const root = join(folder, '../..')
  const compose = readFileSync(join(root, 'compose.yaml'), 'utf8')

  test('bounds the memory of the server', () => {
    expect(compose).toMatch(/^ {2}app:\n(?: {4}.*\n)* {4}mem_limit: 1g/m)
  })

  test('mounts files of this folder that are there', () => {
    const mounted = [...compose.matchAll(/^ +- (\.\/[^:]+):/gm)].map(([, path]) => path!)
    expect(mounted).toEqual(['./docs/operations/Caddyfile.compose'])
    expect(mounted.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('names volumes and services that it describes', () => {
    const [services = '', volumes = ''] = compose.split(/^volumes:$/m)
    const mounted = [...services.matchAll(/(?<=['"\s])([a-z]+):\/(?!\/)/g)].map(([, name]) => name)
    expect([...volumes.matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name)).toEqual(mounted)
    const described = [...services.matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name)
    expect(described).toEqual(['app', 'caddy', 'postgres'])
    expect(services).toMatch(/depends_on: \[app\]/)
  })

  test('gives Caddy a public address without a slash at the end', () => {
    const [, script = ''] = /^ {4}command: \['(.*)'\]$/m.exec(compose) ?? []
    const shown = script.replaceAll('$$', '$').replace(/ exec .*/, '; echo $PUBLIC_URL')
    for (const PUBLIC_URL of ['https://host.example/', 'https://host.example']) {
      const { stdout } = spawnSync('/bin/sh', ['-c', shown], {
        env: { PUBLIC_URL },
        encoding: 'utf8',
      })
      expect(stdout).toBe('https://host.example\n')
    }
  })

  test('starts without a variable, and hands on those that .env.example has', () => {
    const named = [...compose.matchAll(/(?<!\$)\$\{(\w+)(:-)?/g)].map(([, name, fallback]) => ({
      name: name!,
      hasDefault: fallback !== undefined,
    }))
    expect(named.filter(({ hasDefault }) => !hasDefault)).toEqual([])
    const example = readFileSync(join(root, '.env.example'), 'utf8')
    const unknown = named.filter(({ name }) => !new RegExp(`^#? ?${name}=`, 'm').test(example))
    expect(unknown.map(({ name }) => name)).toEqual(['DATABASE_PASSWORD']) // of compose.yaml alone
  })

  const hasCaddy = spawnSync('caddy', ['version']).status === 0

  test.skipIf(!hasCaddy)(
    '(where there is Caddy) its Caddyfile passes on to app at its port',
    () => {
      const { stdout, stderr } = spawnSync(
        'caddy',
        ['adapt', '--config', join(folder, 'Caddyfile.compose'), '--adapter', 'caddyfile'],
        { encoding: 'utf8', env: { ...process.env, PUBLIC_URL: 'https://starter.example.com' } },
      )
      expect(stderr).not.toContain('Error')
      expect(stdout).toContain('"host":["starter.example.com"]')
      const [, port = ''] = /PORT: (\d+)/.exec(compose) ?? []
      expect(stdout).toContain(`"dial":"app:${port}"`)
    },
  )
})

/** As systemd hands it to the shell. */
function lineOf(setting: string): string {
  const [, line = ''] =
    new RegExp(`^${setting}=/bin/sh -c '(.*)'$`, 'm').exec(read('starter-bot-backup.service')) ?? []
  return line.replaceAll('$$', '$').replaceAll('%%', '%')
}

function runInShell(line: string, backups: string) {
  return spawnSync('/bin/sh', ['-c', line], {
    env: { ...process.env, BACKUPS: backups },
    encoding: 'utf8',
  })
}
