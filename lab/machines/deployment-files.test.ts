import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '#rigs/product.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

const read = (name: string) => readFileSync(join(root, name), 'utf8')
const parser = [['docker', 'compose'], ['docker-compose']].find(
  ([program = '', ...words]) => spawnSync(program, [...words, 'version']).status === 0,
)
const hasCaddy = spawnSync('caddy', ['version']).status === 0

describe('compose.yaml', () => {
  test.skipIf(!parser)(
    '(where Docker Compose is installed) is read by it, with .env as the only other file',
    () => {
      const parsed = parseCompose('PUBLIC_URL=https://bot.example.com\n')
      expect(parsed).toMatchObject({ status: 0 })
      expect(parsed.stdout).toMatch(/read_only: true/)
      expect(parsed.stdout).toMatch(/stop_grace_period: 30s/)
      expect(parsed.stdout).toMatch(/DATABASE_URL: file:\/data\/starter-bot\.db/)
    },
  )

  test.skipIf(!parser)('(where Docker Compose is installed) asks for PUBLIC_URL if .env has none', () => {
    const { status, stderr } = parseCompose('')
    expect(status).not.toBe(0)
    expect(stderr).toContain('must be set in .env')
  })

  test.skipIf(!hasCaddy)('(where Caddy is installed) has a Caddyfile that Caddy accepts', () => {
    const words = ['validate', '--adapter', 'caddyfile', '--config', 'docs/operations/Caddyfile.compose']
    const env = { ...process.env, PUBLIC_URL: 'https://bot.example.com' }
    expect(spawnSync('caddy', words, { cwd: root, env }).status).toBe(0)
    expect(read('docs/operations/Caddyfile.compose')).toContain('request>uri delete')
  })
})

test("the hosts' templates give 30 s after SIGTERM, keep one machine running, and have one volume", () => {
  const fly = [
    'kill_signal = "SIGTERM"',
    'kill_timeout = "30s"',
    'min_machines_running = 1',
    'destination = "/data"',
  ]
  const render = ['numInstances: 1', 'plan: starter', 'mountPath: /data']
  for (const line of [...fly, 'auto_stop_machines = "off"']) expect(read('fly.toml')).toContain(line)
  for (const line of render) expect(read('render.yaml')).toContain(line)
})

test('the image runs as a user of its own, with its data in a volume and a health check without curl', () => {
  const lines = [
    'ARG BASE=',
    'USER 10001',
    'VOLUME /data',
    'STOPSIGNAL SIGTERM',
    'HEALTHCHECK ',
    '/readyz',
    'LABEL ',
  ]
  for (const line of lines) expect(read('Dockerfile')).toContain(line)
  expect(read('Dockerfile')).not.toMatch(/curl|wget/)
})

function parseCompose(env: string) {
  const [program = '', ...words] = parser ?? []
  const folder = temporaryFolder()
  copyFileSync(join(root, 'compose.yaml'), join(folder, 'compose.yaml'))
  writeFileSync(join(folder, '.env'), env)
  const { PATH, HOME } = process.env
  return spawnSync(program, [...words, 'config'], { cwd: folder, env: { PATH, HOME }, encoding: 'utf8' })
}
