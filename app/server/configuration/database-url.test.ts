import { expect, test } from 'vitest'
import { databaseHosts, serverUrls } from './database-url.ts'

test.each([
  ['postgres://me:pass@db/bot', ['postgres://me:pass@db/bot']],
  [
    'postgres://me@db1:5432,db2:5433/bot?sslmode=disable',
    ['db1:5432', 'db2:5433'].map((host) => `postgres://me@${host}/bot?sslmode=disable`),
  ],
  [
    'postgres://me@localhost/bot?host=/a,/b',
    ['%2Fa', '%2Fb'].map((path) => `postgres://me@localhost/bot?host=${path}`),
  ],
  ['postgres:///bot?host=/a', ['postgres:///bot?host=/a']],
  ['postgres://db1:port,db2/bot', []],
  ['file:data/bot.db', []],
])('%s names its servers', (url, servers) => {
  expect(serverUrls(url)).toEqual(servers)
})

test('hosts are named without user and password', () => {
  expect(databaseHosts('postgres://me:hunter2@db1:5432,db2/bot')).toBe('db1:5432, db2')
})
