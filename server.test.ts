import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { findPlaceholders } from '#server/configuration/placeholders.ts'

const root = import.meta.dirname

test('a production start lists placeholders with the errors of the environment, and ends with 1', () => {
  const placeholders = findPlaceholders(root).map(({ text, place }) => `  - "${text}" is still in ${place}`)
  expect(placeholders.length).toBeGreaterThan(0)
  const { status, stderr } = startWith({ NODE_ENV: 'production', PORT: 'x' })
  const lines = stderr.trimEnd().split('\n')
  expect(status).toBe(1)
  expect(lines.slice(1).map((line) => line.split(/ (?:must|is)/u, 1).join())).toEqual([
    '  - PORT',
    '  - SMTP_URL',
    ...placeholders.map((line) => line.split(' is', 1).join()),
  ])
})

test('the help of a clone names commands that a clone has', () => {
  const { status, stdout } = spawnSync(process.execPath, ['server.ts', '--help'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([0, expect.stringContaining('npm start -- owner COMMAND')])
})

function startWith(env: Record<string, string>) {
  return spawnSync(process.execPath, ['server.ts'], { cwd: root, env, encoding: 'utf8' })
}
