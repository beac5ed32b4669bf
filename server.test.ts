import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { brand } from '#content/brand.ts'
import { explainFault } from '#server/start/explain-fault.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

const root = import.meta.dirname

test('a thread with an unknown name fails', async () => {
  const thread = new Worker(join(root, 'server.ts'), { argv: ['app/nothing.ts'] })
  const [fault] = await once(thread, 'error')
  expect(String(fault)).toContain('There is no thread "app/nothing.ts"')
})

test('a start lists all errors of the environment, and ends with 1', () => {
  const { status, stderr } = startWith({ NODE_ENV: 'production', PORT: 'x', LOG_LEVEL: 'x' })
  const lines = stderr.trimEnd().split('\n')
  expect(status).toBe(1)
  expect(lines.slice(1).map((line) => line.split(' must', 1).join())).toEqual([
    '  - PORT',
    '  - LOG_LEVEL',
  ])
})

test('a port in use is one line that names the variable to set', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo // a string only for a pipe
  const DATABASE_URL = `file:${join(temporaryFolder(), 'test.db')}`
  const { status, stderr } = startWith({ HOST: '127.0.0.1', PORT: String(port), DATABASE_URL })
  expect([status, stderr.trimEnd().split('\n')]).toEqual([
    1,
    [`${brand.name} cannot start:`, expect.stringMatching(new RegExp(`port ${port}.* set PORT `))],
  ])
})

test('a HOST without an address is one line that names the variable to set', () => {
  const fault = Object.assign(new Error('getaddrinfo ENOTFOUND nowhere'), { code: 'ENOTFOUND' })
  expect(explainFault(fault, { host: 'nowhere', port: 1 })).toBe(
    'nowhere has no address on this machine. Set HOST to an address, such as 127.0.0.1',
  )
})

test('a database of a newer version is one line', () => {
  const path = join(temporaryFolder(), 'test.db')
  const file = new DatabaseSync(path)
  file.exec("create table migrations (name text); insert into migrations values ('9999-later')")
  file.close()
  const { status, stderr } = startWith({ PORT: '1', DATABASE_URL: `file:${path}` })
  expect([status, stderr.trimEnd().split('\n')]).toEqual([
    1,
    [`${brand.name} cannot start:`, expect.stringContaining('from a newer version')],
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
  const { NODE_OPTIONS } = process.env
  const options = { cwd: root, env: { NODE_OPTIONS, ...env }, encoding: 'utf8' } as const
  return spawnSync(process.execPath, ['server.ts'], options)
}
